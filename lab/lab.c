#include <abut-lab/lab.h>
