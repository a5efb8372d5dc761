// JamWeb
