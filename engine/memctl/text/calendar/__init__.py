"""Days as people say them, in a dozen languages: "on 3 May", "last weekend", "vorgestern"."""
