-- The networks from which the screen of a kiosk may show it. An empty list leaves it to the networks of
-- the roles.
alter table telao add column redes text[] not null default '{}';
