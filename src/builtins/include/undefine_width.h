// Makes room for the definitions of the next width; see each_width.h.
#undef WIDTH
#undef Float
#undef Double
#undef Int
#undef Long
