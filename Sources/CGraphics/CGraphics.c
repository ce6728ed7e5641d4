#include "CGraphics.h"
