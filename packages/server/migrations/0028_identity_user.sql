-- The user of the embed token's identity, instead of the viewer's e-mail: Azure Analysis Services.
alter table relatorio add column usuario_identidade text;
