// JamWire
