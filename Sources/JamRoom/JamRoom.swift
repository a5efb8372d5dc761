// JamRoom
