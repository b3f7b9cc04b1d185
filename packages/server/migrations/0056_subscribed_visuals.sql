-- The visuals of a subscription to a spreadsheet: {nome, titulo}[], of its page. Empty: all of them.
-- assinatura.formato is 'PDF', 'PNG' or 'XLSX'.
alter table assinatura add column visuais json not null default '[]';
