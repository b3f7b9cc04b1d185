import type { BeneficiaryData } from '../clinical/index.ts'

/* Fictitious people: every name contains 'Exemplo', and every id starts with EX. */

const women = ['Fulana', 'Beltrana', 'Sicrana', 'Joana', 'Marisa', 'Aurora', 'Ivone', 'Celeste'] as const
const men = ['Fulano', 'Beltrano', 'Sicrano', 'Jorge', 'Renato', 'Otávio', 'Ivo', 'Celso'] as const
const surnames = ['da Silva', 'de Souza', 'Conceição', 'Antunes', 'Araújo', 'Prates'] as const
const plans = ['Essencial', 'Pleno', 'Empresarial Plus', 'Sênior'] as const
const insurers = ['Bradesco', 'CNU', 'Paraná Clínicas', 'Santa Casa'] as const

/** @param index from 0; the same index always gives the same person */
const person = (index: number): BeneficiaryData => {
  const isWoman = index % 2 === 0
  const first = at(isWoman ? women : men, Math.floor(index / 2))
  const [day, month, year] = [
    1 + ((index * 7) % 28),
    1 + ((index * 5) % 12),
    1938 + ((index * 13) % 60),
  ] as const
  return {
    nome_beneficiario: `${first} Exemplo ${at(surnames, Math.floor(index / 4) + index)}`,
    id_beneficiario: `EX-${String(index + 1).padStart(4, '0')}`,
    data_nascimento: `${twoDigits(day)}/${twoDigits(month)}/${year}`,
    sexo: isWoman ? 'feminino' : 'masculino',
    plano: at(plans, index),
    operadora: at(insurers, index + Math.floor(index / 4)),
  }
}

const twoDigits = (part: number): string => String(part).padStart(2, '0')

const at = <T>(list: readonly [T, ...T[]], index: number): T => list[index % list.length] ?? list[0]

export const fictitiousPeople: readonly BeneficiaryData[] = Array.from({ length: 24 }, (_, index) =>
  person(index),
)
