// Nothing to call: linking this is enough. See CThreadSanitizer.c.
#pragma once
