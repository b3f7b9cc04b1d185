/*
 * Files with the headings of Brazilian open data, as their publishers write them (ANS: dados abertos;
 * TABNET of DATASUS; SIDRA of IBGE), and invented rows.
 */

const quoted = (values: unknown[]) => values.map((value) => `"${value}"`).join(';')
const rowsOf = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => row(n))
const file = (...lines: (string | string[])[]) => lines.flat().join('\r\n')
const at = <T>(values: readonly T[], index: number): T => values[index % values.length] as T

const STATES = ['PR', 'SC', 'SP'] as const
const AGES = ['00 a 05', '06 a 10', '11 a 15', '80 ou mais'] as const

/** ANS, beneficiaries by operator: `month` writes the month of 2025. */
export const ansBeneficiaries = (month: (number: number) => string): Buffer =>
  Buffer.from(
    file(
      '#ID_CMPT_MOVEL;CD_OPERADORA;NM_RAZAO_SOCIAL;SG_UF;CD_MUNICIPIO;TP_SEXO;DE_FAIXA_ETARIA;QT_BENEFICIARIO_ATIVO;DT_CARGA',
      rowsOf(120, (n) =>
        [
          month(6 + (n % 3)),
          300_001 + (n % 4),
          `OPERADORA FICTÍCIA ${n % 4}`,
          at(STATES, n >> 2),
          410_690 + (n % 9),
          n % 2 ? 'M' : 'F',
          at(AGES, n >> 1),
          1_000 + n,
          '2025-09-20',
        ].join(';'),
      ),
    ),
  )
/** 1.002, 1.005, … of the 40 rows of August. */
export const ACTIVE_IN_AUGUST = 40 * 1_000 + (40 * (2 + 119)) / 2

/** ANS, operators, in Windows-1252. */
export const ansOperators = Buffer.from(
  file(
    quoted([
      'Registro_ANS',
      'CNPJ',
      'Razao_Social',
      'Nome_Fantasia',
      'Modalidade',
      'Logradouro',
      'Numero',
      'Complemento',
      'Bairro',
      'Cidade',
      'UF',
      'CEP',
      'DDD',
      'Telefone',
      'Fax',
      'Endereco_eletronico',
      'Representante',
      'Cargo_Representante',
      'Regiao_de_Comercializacao',
      'Data_Registro_ANS',
    ]),
    rowsOf(60, (n) =>
      quoted([
        300_001 + n,
        19_541_931_000_000 + n * 1_037,
        `OPERADORA FICTÍCIA ${n} LTDA`,
        `FICTÍCIA ${n}`,
        at(['Medicina de Grupo', 'Cooperativa Médica', 'Odontologia de Grupo'], n),
        `RUA ${n}`,
        100 + n,
        '',
        `BAIRRO ${n % 9}`,
        `CIDADE ${n % 5}`,
        at(STATES, n),
        80_010_000 + n,
        at([41, 47, 11], n),
        33_334_000 + n,
        '',
        `contato${n}@ficticia.exemplo`,
        `PESSOA ${n}`,
        'DIRETOR',
        1 + (n % 6),
        `20${String(10 + (n % 9))}-0${1 + (n % 9)}-15`,
      ]),
    ),
  ),
  'latin1',
)

/** ANS, accounting of operators. */
export const ansAccounting = Buffer.from(
  file(
    quoted(['DATA', 'REG_ANS', 'CD_CONTA_CONTABIL', 'DESCRICAO', 'VL_SALDO_INICIAL', 'VL_SALDO_FINAL']),
    rowsOf(60, (n) =>
      quoted([
        at(['2025-01-01', '2025-04-01', '2025-07-01'], n),
        300_001 + (n % 4),
        41_111 + (n % 5),
        `Eventos / Sinistros ${n % 5}`,
        `${n * 100},10`,
        `${n * 100 + 50},2`,
      ]),
    ),
  ),
)

const tabnetTable = file(
  quoted(['Região', '2026/Jan', '2026/Fev', '2026/Mar', 'Total']),
  ['1 Norte', '2 Nordeste', '3 Sudeste', '4 Sul', '5 Centro-Oeste'].map(
    (region, n) => `"${region}";${100 + n};${120 + n};${90 + n};${310 + 3 * n}`,
  ),
)

/** TABNET, admissions by region and month, without the lines above and below the table. */
export const tabnet = Buffer.from(tabnetTable, 'latin1')

/** The same as TABNET writes it: below titles, with a dash for no data, a total and notes. */
export const tabnetAsWritten = Buffer.from(
  [
    'Internações hospitalares - por local de internação - Brasil',
    'Internações segundo Região',
    'Período: Jan-Mar/2026',
    tabnetTable.trimEnd().replace('"1 Norte";100;120;90;310', '"1 Norte";100;120;-;220'),
    '"Total";510;610;370;1490',
    '',
    ' Fonte: Sistema fictício',
    ' Notas:',
    ' 1. Situação provisória, sujeita a retificação.',
  ].join('\r\n'),
  'latin1',
)

/** SIDRA, a table of values by place, variable and year. */
export const sidra = Buffer.from(
  file(
    quoted([
      'Município (Código)',
      'Município',
      'Unidade de Medida (Código)',
      'Unidade de Medida',
      'Ano (Código)',
      'Ano',
      'Variável (Código)',
      'Variável',
      'Valor',
    ]),
    rowsOf(40, (n) =>
      quoted([
        4_100_000 + (n % 20),
        `Cidade ${n % 20}`,
        39,
        'Pessoas',
        2022 + (n % 2),
        2022 + (n % 2),
        93,
        'População ocupada',
        100 + n,
      ]),
    ),
  ),
)
