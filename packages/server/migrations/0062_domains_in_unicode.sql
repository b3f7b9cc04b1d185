-- E-mails are stored with their domain in ASCII (xn--aa-4iaz.com.br). A search compares them in Unicode (açaí.com.br) too:
-- punycode of a part of a label is not a part of its punycode. The browser has the same rules
-- (contract/src/calls/unicode-domains.ts).

-- Decodes punycode in lower case, without 'xn--' (RFC 3492, section 6.2); null when it is not valid.
create function rotulo_em_unicode(codificado text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  numero_maximo constant bigint := 2147483647;
  hifen constant int := length(codificado) - coalesce(nullif(strpos(reverse(codificado), '-'), 0), length(codificado) + 1) + 1;
  letras text := left(codificado, greatest(hifen - 1, 0));
  proximo int := hifen + 1;
  ponto bigint := 128;
  vies bigint := 72;
  posicao bigint := 0;
  anterior bigint;
  peso bigint;
  k bigint;
  limiar bigint;
  digito int;
  total bigint;
  resto bigint;
begin
  if length(codificado) > 63 then return null; end if;
  while proximo <= length(codificado) loop
    anterior := posicao;
    peso := 1;
    k := 36;
    loop
      if proximo > length(codificado) then return null; end if;
      digito := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(codificado, proximo, 1)) - 1;
      proximo := proximo + 1;
      if digito < 0 then return null; end if;
      posicao := posicao + digito * peso;
      limiar := least(greatest(k - vies, 1), 26);
      exit when digito < limiar;
      peso := peso * (36 - limiar);
      if posicao > numero_maximo or peso > numero_maximo then return null; end if;
      k := k + 36;
    end loop;
    total := length(letras) + 1;
    resto := (posicao - anterior) / case when anterior = 0 then 700 else 2 end;
    resto := resto + resto / total;
    k := 0;
    while resto > 455 loop
      resto := resto / 35;
      k := k + 36;
    end loop;
    vies := k + 36 * resto / (resto + 38);
    ponto := ponto + posicao / total;
    if ponto > 1114111 or ponto between 55296 and 57343 then return null; end if;
    posicao := posicao % total;
    letras := left(letras, posicao::int) || chr(ponto::int) || substr(letras, posicao::int + 1);
    posicao := posicao + 1;
  end loop;
  return letras;
end $$;

create function dominios_em_unicode(texto text) returns text
  language sql immutable strict parallel safe
  return (
    select string_agg(
      case when parte[1] ~* '^xn--.' then coalesce(rotulo_em_unicode(lower(substr(parte[1], 5))), parte[1]) else parte[1] end,
      '' order by ordem)
    from regexp_matches(texto, '([a-zA-Z0-9-]+|[^a-zA-Z0-9-]+)', 'g') with ordinality as partes(parte, ordem)
  );
