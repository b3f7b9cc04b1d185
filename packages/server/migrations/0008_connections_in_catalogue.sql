-- What a report needs to be embedded is kept by the version of the catalogue: its connection is part of that.
create trigger powerbi_muda_catalogo after insert or update or delete or truncate on powerbi
  for each statement execute function muda_catalogo();
