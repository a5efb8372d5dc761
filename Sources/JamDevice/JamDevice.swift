// JamDevice
