"""Programs that make files of the project anew; the service needs none of them."""
