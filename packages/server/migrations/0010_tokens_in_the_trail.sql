-- Each token issued stands in the audit trail, sealed, in the same statement. Nothing ever read this second record of it.
drop table token_emitido;
