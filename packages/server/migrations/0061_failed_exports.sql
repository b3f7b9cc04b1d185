-- Exports of which the provider made no file: they do not count in the hour of their person.
alter table exportacao add column falhou boolean not null default false;
