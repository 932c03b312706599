"""“O que diz a lei?”: the rules of one's city, by subject and by words, each with its article."""
