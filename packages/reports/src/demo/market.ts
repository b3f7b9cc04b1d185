/** The fictitious market: insurers, plans, providers and cities. It contains no names of people. */
export const OPERADORAS = ['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA'] as const
export type Operadora = (typeof OPERADORAS)[number]

interface OperadoraProfile {
  /** Lives in January 2024, and their monthly growth. */
  lives: number
  growth: number
  /** Cost level and use, relative to an average of 1. */
  cost: number
  use: number
  /** Average age of a titular on joining. */
  age: number
  /** Target ratio of cost to revenue. */
  lossRatio: number
  /** Plan → weight, and city → weight. */
  plans: Record<string, number>
  cities: Record<string, number>
}

export type Uf = 'PR' | 'SP' | 'SC' | 'BA'

/** The state of each city. */
export const UF_OF: Record<string, Uf> = {
  'São Paulo': 'SP',
  Campinas: 'SP',
  Curitiba: 'PR',
  'São José dos Pinhais': 'PR',
  Londrina: 'PR',
  Maringá: 'PR',
  Salvador: 'BA',
  Joinville: 'SC',
}

export const PROFILES: Record<Operadora, OperadoraProfile> = {
  BRADESCO: {
    lives: 2500,
    growth: 0.004,
    cost: 1.14,
    use: 1.05,
    age: 38,
    lossRatio: 0.79,
    plans: { 'Nacional Executivo': 0.25, 'Nacional Plus': 0.4, 'Nacional Essencial': 0.35 },
    cities: { 'São Paulo': 0.48, Campinas: 0.2, Curitiba: 0.2, Salvador: 0.12 },
  },
  CNU: {
    lives: 2050,
    growth: 0.009,
    cost: 1,
    use: 1,
    age: 36,
    lossRatio: 0.84,
    plans: { 'Nacional Plus': 0.35, 'Nacional Essencial': 0.65 },
    cities: { 'São Paulo': 0.36, Joinville: 0.34, Salvador: 0.3 },
  },
  PARANA_CLINICAS: {
    lives: 1850,
    growth: 0.006,
    cost: 0.87,
    use: 1.02,
    age: 34,
    lossRatio: 0.75,
    plans: { 'Regional Apartamento': 0.38, 'Regional Enfermaria': 0.62 },
    cities: { Curitiba: 0.64, 'São José dos Pinhais': 0.22, Joinville: 0.14 },
  },
  SANTA_CASA: {
    lives: 1050,
    growth: -0.002,
    cost: 0.93,
    use: 1.08,
    age: 42,
    lossRatio: 0.88,
    plans: { 'Regional Apartamento': 0.3, 'Regional Enfermaria': 0.7 },
    cities: { Londrina: 0.55, Maringá: 0.45 },
  },
}

/** Price of a plan relative to the cheapest. */
export const PLAN_PRICE: Record<string, number> = {
  'Nacional Executivo': 2.2,
  'Nacional Plus': 1.55,
  'Nacional Essencial': 1.15,
  'Regional Apartamento': 1.3,
  'Regional Enfermaria': 1,
}

/** The ten age bands of the regulator (RN 563), with a typical price step. */
export const AGE_BANDS: readonly { label: string; upTo: number; price: number }[] = [
  { label: '00-18', upTo: 18, price: 1 },
  { label: '19-23', upTo: 23, price: 1.18 },
  { label: '24-28', upTo: 28, price: 1.35 },
  { label: '29-33', upTo: 33, price: 1.5 },
  { label: '34-38', upTo: 38, price: 1.64 },
  { label: '39-43', upTo: 43, price: 1.84 },
  { label: '44-48', upTo: 48, price: 2.3 },
  { label: '49-53', upTo: 53, price: 2.75 },
  { label: '54-58', upTo: 58, price: 3.4 },
  { label: '59+', upTo: 200, price: 5.4 },
]

export const ageBand = (age: number): string => {
  return (AGE_BANDS.find((band) => age <= band.upTo) ?? { label: '59+' }).label
}

export type Prestador = ReturnType<typeof provider>

/** `weight`: share of the state's demand; `price`: relative to an average of 1. */
const provider = (
  prestador: string,
  uf: Uf,
  kind: 'hospital' | 'clinica' | 'laboratorio' | 'terapia',
  weight: number,
  price: number,
) => ({ prestador, uf, kind, weight, price })

export const PRESTADORES = [
  provider('Hospital Vale do Ipê', 'PR', 'hospital', 5, 1.02),
  provider('Hospital Campos Altos', 'PR', 'hospital', 3, 1.18),
  provider('Hospital Porto das Águas', 'PR', 'hospital', 2, 0.9),
  provider('Hospital Serra Dourada', 'SP', 'hospital', 5, 1.24),
  provider('Hospital Jardim Paulistano', 'SP', 'hospital', 4, 1.06),
  provider('Hospital Lagoa Azul', 'SP', 'hospital', 2, 0.94),
  provider('Hospital Rio Manso', 'SC', 'hospital', 4, 0.96),
  provider('Hospital Baía Nova', 'BA', 'hospital', 4, 1),
  provider('Clínica Horizonte', 'PR', 'clinica', 5, 0.98),
  provider('Clínica Araucária Saúde', 'PR', 'clinica', 4, 1.04),
  provider('Centro Médico Pinhais', 'PR', 'clinica', 3, 0.92),
  provider('Clínica Alvorada', 'SP', 'clinica', 5, 1.12),
  provider('Centro Médico Ibirá', 'SP', 'clinica', 4, 1.02),
  provider('Clínica Bela Manhã', 'SC', 'clinica', 4, 0.95),
  provider('Clínica Farol do Leste', 'BA', 'clinica', 4, 0.97),
  provider('Laboratório Prisma', 'PR', 'laboratorio', 5, 0.96),
  provider('Diagnóstico Aurora', 'PR', 'laboratorio', 4, 1.1),
  provider('Laboratório Quartzo', 'SP', 'laboratorio', 5, 1.05),
  provider('Imagem Central Diagnóstico', 'SP', 'laboratorio', 3, 1.22),
  provider('Laboratório Maré', 'SC', 'laboratorio', 4, 0.94),
  provider('Laboratório Coral', 'BA', 'laboratorio', 4, 0.98),
  provider('Espaço Movimento', 'PR', 'terapia', 4, 0.97),
  provider('Núcleo Integrar', 'PR', 'terapia', 3, 1.05),
  provider('Instituto Equilíbrio', 'SP', 'terapia', 4, 1.1),
  provider('Espaço Vida Leve', 'SC', 'terapia', 3, 0.95),
  provider('Núcleo Bem Viver', 'BA', 'terapia', 3, 0.96),
]
