/*
 * Plausible prices and frequencies of health care, invented for the insurance claims of the demo.
 * Prices are in reais of January 2024.
 */

export const CARE_TYPES = ['consulta', 'exame', 'terapia', 'pronto-socorro', 'internação'] as const
export type CareType = (typeof CARE_TYPES)[number]

export type CareOption = ReturnType<typeof option>

type Limits = { minAge?: number; maxAge?: number; sexo?: 'masculino' | 'feminino' }
/**
 * A kind of care in one specialty. `cid`: the chapter of its diagnoses in ICD-10 (CID-10 in Brazil);
 * `weight`: its relative frequency among the options of its type that the patient's age and sex
 * allow; `median` and `sigma`: of its log-normal price.
 */
const option = (
  especialidade: string,
  cid: string,
  weight: number,
  median: number,
  sigma: number,
  limits: Limits = {},
) => ({ especialidade, cid, weight, median, sigma, ...limits })

const CIRCULATORY = 'IX · Circulatório'
const MENTAL = 'V · Mentais'
const MUSCULAR = 'XIII · Osteomuscular'
const RESPIRATORY = 'X · Respiratório'
const DIGESTIVE = 'XI · Digestivo'
const ENDOCRINE = 'IV · Endócrino'
const NEOPLASM = 'II · Neoplasias'
const INJURY = 'XIX · Lesões'
const NERVOUS = 'VI · Nervoso'
const BIRTH = 'XV · Gravidez e parto'
const GENITAL = 'XIV · Geniturinário'
const SYMPTOMS = 'XVIII · Sintomas'
const EYE = 'VII · Olhos'
const SKIN = 'XII · Pele'

const CHILD: Limits = { maxAge: 14 }
const GROWN: Limits = { minAge: 15 }
const FERTILE: Limits = { minAge: 16, maxAge: 45, sexo: 'feminino' }

export const CARE: Record<CareType, readonly CareOption[]> = {
  consulta: [
    option('Clínica médica', SYMPTOMS, 20, 92, 0.22, GROWN),
    option('Pediatria', RESPIRATORY, 46, 108, 0.2, CHILD),
    option('Ginecologia', GENITAL, 22, 112, 0.2, { minAge: 15, sexo: 'feminino' }),
    option('Cardiologia', CIRCULATORY, 9, 128, 0.22, { minAge: 35 }),
    option('Ortopedia', MUSCULAR, 12, 116, 0.22, { minAge: 10 }),
    option('Dermatologia', SKIN, 10, 118, 0.24, { minAge: 8 }),
    option('Oftalmologia', EYE, 10, 114, 0.22),
    option('Endocrinologia', ENDOCRINE, 7, 132, 0.22, { minAge: 18 }),
    option('Gastroenterologia', DIGESTIVE, 6, 128, 0.22, { minAge: 18 }),
    option('Psiquiatria', MENTAL, 8, 168, 0.24, { minAge: 14 }),
    option('Neurologia', NERVOUS, 5, 156, 0.24),
    option('Urologia', GENITAL, 7, 124, 0.22, { minAge: 30, sexo: 'masculino' }),
    option('Oncologia', NEOPLASM, 1.6, 190, 0.28, { minAge: 30 }),
  ],
  exame: [
    option('Análises clínicas', SYMPTOMS, 52, 38, 0.75),
    option('Radiologia', INJURY, 17, 138, 0.85, { minAge: 3 }),
    option('Cardiologia', CIRCULATORY, 9, 124, 0.6, { minAge: 30 }),
    option('Ginecologia', GENITAL, 8, 96, 0.5, { minAge: 18, sexo: 'feminino' }),
    option('Oftalmologia', EYE, 6, 84, 0.5),
    option('Gastroenterologia', DIGESTIVE, 4, 320, 0.45, { minAge: 25 }),
    option('Oncologia', NEOPLASM, 1.1, 680, 0.7, { minAge: 30 }),
    option('Neurologia', NERVOUS, 2, 260, 0.6, { minAge: 12 }),
  ],
  terapia: [
    option('Fisioterapia', MUSCULAR, 40, 62, 0.3, { minAge: 12 }),
    option('Psicologia', MENTAL, 34, 98, 0.28, { minAge: 5 }),
    option('Fonoaudiologia', NERVOUS, 16, 104, 0.26, CHILD),
    option('Terapia ocupacional', NERVOUS, 14, 118, 0.28, CHILD),
    option('Nutrição', ENDOCRINE, 12, 88, 0.24, { minAge: 10 }),
    option('Oncologia', NEOPLASM, 0.9, 2600, 0.7, { minAge: 35 }),
  ],
  'pronto-socorro': [
    option('Clínica médica', RESPIRATORY, 44, 262, 0.5, GROWN),
    option('Pediatria', RESPIRATORY, 60, 238, 0.45, CHILD),
    option('Ortopedia', INJURY, 18, 338, 0.5, { minAge: 5 }),
    option('Cardiologia', CIRCULATORY, 6, 560, 0.6, { minAge: 40 }),
    option('Gastroenterologia', DIGESTIVE, 10, 346, 0.5, { minAge: 15 }),
    option('Neurologia', NERVOUS, 4, 520, 0.55, { minAge: 15 }),
    option('Ginecologia', BIRTH, 7, 310, 0.45, FERTILE),
  ],
  // Prices without the days in hospital, for which claims.ts adds a price each.
  internação: [
    option('Clínica médica', RESPIRATORY, 22, 2400, 0.5, GROWN),
    option('Pediatria', RESPIRATORY, 24, 1900, 0.45, CHILD),
    option('Ginecologia', BIRTH, 26, 3900, 0.35, FERTILE),
    option('Ortopedia', MUSCULAR, 16, 7800, 0.55, { minAge: 12 }),
    option('Cardiologia', CIRCULATORY, 14, 10400, 0.6, { minAge: 40 }),
    option('Gastroenterologia', DIGESTIVE, 14, 5200, 0.45, { minAge: 15 }),
    option('Oncologia', NEOPLASM, 8, 9800, 0.6, { minAge: 30 }),
    option('Neurologia', NERVOUS, 6, 8200, 0.6, { minAge: 20 }),
    option('Urologia', GENITAL, 8, 4700, 0.45, { minAge: 18 }),
    option('Psiquiatria', MENTAL, 5, 2600, 0.4, { minAge: 16 }),
  ],
}

/**
 * Returns how much care a person uses, relative to a man of 39 to 48. It is highest from the age of
 * 59, high below 5 and lowest from 5 to 18. Women of 19 to 48 use 28 % more than men of their age.
 */
export const useByAge = (age: number, sexo: string): number => {
  const base =
    age < 5 ? 1.35 : age < 19 ? 0.62 : age < 29 ? 0.7 : age < 39 ? 0.88 : age < 49 ? 1 : age < 59 ? 1.28 : 1.9
  return base * (sexo === 'feminino' && age >= 19 && age < 49 ? 1.28 : 1)
}

/** Returns the relative weights of the five types of care at an age. */
export const mixByAge = (age: number): Record<CareType, number> => {
  return {
    consulta: 34,
    exame: age < 15 ? 22 : 39,
    terapia: age < 15 ? 17 : 11.5,
    'pronto-socorro': age < 15 ? 21 : age < 40 ? 15 : 12,
    internação: age < 5 ? 1.5 : age < 19 ? 0.6 : age < 45 ? 1.05 : age < 59 ? 1.5 : 2.9,
  }
}

/**
 * Triage classes of emergency care: `weight` is the relative frequency, `waiting` the typical
 * waiting time in minutes.
 */
export const RISKS: Record<string, { weight: number; waiting: number }> = {
  'Não urgente': { weight: 13, waiting: 92 },
  'Pouco urgente': { weight: 45, waiting: 66 },
  Urgente: { weight: 29, waiting: 38 },
  'Muito urgente': { weight: 10.5, waiting: 14 },
  Emergência: { weight: 2.5, waiting: 3 },
}
