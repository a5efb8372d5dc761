// libsrtp2, as it is.
#pragma once
#include <srtp2/srtp.h>
