// JamOSC
