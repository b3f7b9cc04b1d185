import { expect, test } from 'vitest'
import { withoutLiterals } from './query-trail.ts'

test.each([
  ['EVALUATE ROW("v", [Custo 2024])', 'EVALUATE ROW("…", [Custo 2024])'],
  [
    `EVALUATE FILTER('Custos 2025', 'Custos 2025'[Nome] = "Ana ""Bia"" Souza" && [CPF] = 12345678909)`,
    `EVALUATE FILTER('Custos 2025', 'Custos 2025'[Nome] = "…" && [CPF] = …)`,
  ],
  ['VAR t1 = DATE(2026, 1, 31) RETURN t1 * 1.5', 'VAR t1 = DATE(…, …, …) RETURN t1 * …'],
  [`EVALUATE 'D''Ávila'[a]]b 7]`, `EVALUATE 'D''Ávila'[a]]b 7]`],
  ['EVALUATE T // paciente João, carteira A12345\nORDER BY T[a]', 'EVALUATE T /*…*/\nORDER BY T[a]'],
  [
    `FILTER(T, T[a] = "Maria") -- d'Ávila\n, T[b] = "Segredo" -- '`,
    `FILTER(T, T[a] = "…") /*…*/\n, T[b] = "…" /*…*/`,
  ],
  ['EVALUATE /* "Maria"\n */ T /* João', 'EVALUATE /*…*/ T /*…*/'],
  [`EVALUATE 'a -- b'[c // d]`, `EVALUATE 'a -- b'[c // d]`],
  ['x * 1E10 + 12e3 - 0x1F / 7.5.1', 'x * … + … - … / …'],
  ['EVALUATE ROW("v", "Maria da Silva', 'EVALUATE ROW("…", "…"'],
])('%s is audited without texts and numbers', (query, audited) => {
  expect(withoutLiterals(query)).toBe(audited)
})
