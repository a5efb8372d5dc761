// JamStream
