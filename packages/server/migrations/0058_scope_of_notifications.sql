-- What determined the value in the text (alerta_avaliacao.alcance). Null: the text has no value.
alter table notificacao add column alcance text;
