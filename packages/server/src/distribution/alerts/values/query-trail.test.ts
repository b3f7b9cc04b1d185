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
])('%s is audited without texts and numbers', (query, audited) => {
  expect(withoutLiterals(query)).toBe(audited)
})
