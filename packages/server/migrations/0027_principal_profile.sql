-- The service principal profile on whose behalf Power BI is called.
alter table powerbi add column perfil_principal text;
