// JamNet
