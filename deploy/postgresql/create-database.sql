-- Run as a superuser, with the password of the role:
--   psql -v ON_ERROR_STOP=1 -v password=<senha> -f create-database.sql
-- The portal needs no other right: it owns its database, and nothing else.
create role bi_portal login password :'password';
create database bi_manager owner bi_portal encoding 'UTF8' template template0;
revoke connect on database bi_manager from public;
