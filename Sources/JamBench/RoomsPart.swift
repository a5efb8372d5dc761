/// A part of the bench of rooms that can be measured alone.
enum RoomsPart: String, CaseIterable {
  case growth, idle, full, busy, lines, crowd, undo
}
