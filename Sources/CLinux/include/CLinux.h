// Datagram system calls and control-message macros that Swift cannot import.
#pragma once
#include <stdint.h>
