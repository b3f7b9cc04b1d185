-- Where the program is alone with its database (the embedded one), the people behind live sessions are kept in memory until this
-- tells that what was read of them may be another. Time is not told: a session's age and idleness are judged on every call.
create function diz_sessao_mudada() returns trigger language plpgsql as $$
begin
  notify sessao_mudou;
  return null;
end $$;
-- Use alone, which comes with calls, changes nothing that decides.
create trigger sessao_muda after update on sessao for each row
  when ((old.id_usuario, old.metodo, old.criada_em, old.expira_em, old.encerrada_em)
    is distinct from (new.id_usuario, new.metodo, new.criada_em, new.expira_em, new.encerrada_em)
    or new.ultimo_uso < old.ultimo_uso)
  execute function diz_sessao_mudada();
create trigger sessao_some after delete or truncate on sessao
  for each statement execute function diz_sessao_mudada();
create trigger usuario_muda_sessoes after update or delete or truncate on usuario
  for each statement execute function diz_sessao_mudada();
create trigger catalogo_muda_sessoes after insert or update or delete or truncate on catalogo
  for each statement execute function diz_sessao_mudada();
create trigger configuracao_muda_sessoes after insert or update or delete or truncate on configuracao
  for each statement execute function diz_sessao_mudada();
