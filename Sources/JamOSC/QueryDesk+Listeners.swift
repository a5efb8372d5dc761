internal import JamCore
internal import JamRoom
internal import JamWire
internal import NIOCore
internal import Synchronization

/// WebSockets: the views that they see, and their commands.
///
/// Thread: the desk's event loop.
extension QueryDesk {
  /// The connection's view is this one from now on.
  func place(_ connection: StreamConnection, in scene: QueryScene) {
    touched.insert(scene.tap)
    let key = ObjectIdentifier(connection)
    guard let (listener, old) = listeners[key] else { return }
    if let before = old.flatMap({ scenes[$0] }), before.isKnown { listener.before = before.view }
    leave(key, old)
    listeners[key]?.tap = scene.tap
    scene.listeners[key] = listener
    orders?.hear(scene.tap, true)
    guard scene.isKnown else { return }
    begin(listener, in: scene)
    _ = tellMove(of: listener, to: scene)
  }

  /// Tells a client whose view is another one now what that changes.
  /// - Returns: false where the view is the same as before.
  func tellMove(of listener: QueryListener, to scene: QueryScene) -> Bool {
    guard let before = listener.before else { return false }
    listener.before = nil
    tell(
      tree.difference(from: before, to: scene.view),
      QueryScene.values(of: scene.view, from: before), to: listener)
    return true
  }

  func leave(_ key: ObjectIdentifier, _ tap: Int?) {
    guard let tap, let scene = scenes[tap], scene.listeners.removeValue(forKey: key) != nil else {
      return
    }
    scene.lastUsed = loop.now
    if scene.listeners.isEmpty { orders?.hear(tap, false) }
  }

  /// Carries out the commands that came before the view was known.
  func begin(_ listener: QueryListener, in scene: QueryScene) {
    let early = listener.early
    listener.early = []
    for command in early { carryOut(command, listener, in: scene) }
  }

  func obey(_ text: [UInt8], _ listener: QueryListener, in scene: QueryScene?) {
    do throws(QueryCommandError) {
      let command = try QueryCommand(text)
      if let scene, scene.isKnown {
        carryOut(command, listener, in: scene)
        settle(listener)
      } else if listener.early.count < QueryListener.mostEarly {
        listener.early.append(command)
      } else {
        refuse(listener, "too many commands before the first answer: wait for it")
      }
    } catch {
      refuse(listener, error.description)
    }
  }

  func carryOut(_ command: QueryCommand, _ listener: QueryListener, in scene: QueryScene) {
    switch command {
    case .listen(let path):
      guard path.utf8.count <= QueryListener.mostBytes, tree.contains(path, in: scene.view) else {
        return refuse(
          listener, "there is nothing at \(path.prefix(64)): GET / lists all that is there")
      }
      guard listener.mayAsk(at: loop.now) else {
        return refuse(
          listener, "you ask for too many values: LISTEN once, and each change comes by itself")
      }
      guard listener.listen(to: path) else {
        return refuse(
          listener, "a connection listens to \(QueryListener.mostPaths) paths at most: IGNORE some")
      }
      let values = tree.values(at: path, in: scene.view)
      listener.charge(values: values.count + 1)
      for message in values { put(message, key: message.address, for: listener) }
    case .ignore(let path): listener.ignore(path)
    }
  }

  func put(_ message: OSCMessage, key: String, for listener: QueryListener) {
    if !listener.put(message, key: key) { counters.unsent.wrappingAdd(1, ordering: .relaxed) }
  }

  func refuse(_ listener: QueryListener, _ reason: String) {
    counters.refused.wrappingAdd(1, ordering: .relaxed)
    listener.tell(.error(reason))
    listener.flush()
  }
}
