import { withoutAccents } from '@bi-manager/contract/fold-text'
import { COUNTED_ROWS } from '../reading/draft-values.ts'
import type { DraftColumn } from '../reading/read-draft.ts'

/**
 * What a proposed report does with a column. `stock`: an amount that is counted again in each
 * period, such as active members: it is summed within one period only. `average`: also a stock
 * whose rows of one period cannot be told from those of another, such as a running balance.
 */
export type ColumnUse = 'time' | 'sum' | 'stock' | 'average' | 'code' | 'group' | 'none'

/** A text with this many different values is a group; with more it is a name or a note. */
const MAX_VALUES = 60
/** A whole number without a telling heading is a category up to this many values … */
const MAX_CATEGORIES = 12
/** … each of which has this many rows. */
const ROWS_OF_A_CATEGORY = 5
/** Amounts of more rows are not all different, and do not all have as many digits, by chance. */
const MANY_ROWS = 1_000
const SOME_ROWS = 100
/** Whole numbers of many different rows that all have this many digits are keys. */
const KEY_DIGITS = 4
/** Whole numbers of many rows that all have this many digits are codes … */
const CODE_DIGITS = 5
/** … and of few rows those with so many. */
const LONG_DIGITS = 6

const words = (text: string) => new Set(text.trim().split(/\s+/))

/* Headings of Brazilian open data (ANS, DATASUS, IBGE, INEP, Tesouro), without accents. */

/** The prefixes of codes and classes. */
const CODES = words(
  'CD CO COD CODIGO ID TP TIPO SG IN FL ST DDD DDI SEQ CHAVE COORDENADA LAT LON LATITUDE LONGITUDE',
)
/** Numbers that name something, if the rest of the heading does not say 'Número de …'. */
const NUMBERS = words('NR NU NUM NUMERO N NO')
const TIMES = words(
  'ANO MES ANOMES DIA COMPETENCIA COMPET CMPT TRIMESTRE SEMESTRE BIMESTRE EXERCICIO SEMANA PERIODO SAFRA',
)
const DATES = words('DATA DT')
/** Names of registers, also within a heading. */
const REGISTERS = words(
  `CEP CPF CNPJ CNES CNS CNAE CBO CID IBGE INSCRICAO MATRICULA CARTEIRA CARTEIRINHA TELEFONE TEL FAX CELULAR RG PIS NIS
  PROTOCOLO PROCESSO GUIA CONTRATO REGISTRO REG TUSS NCM CFOP NF NFE COMPETENCIA CMPT ANOMES CODIGO`,
)
/** A number under such a heading alone names one thing. */
const THINGS = words(
  `MUNICIPIO CIDADE UF ESTADO OPERADORA CLIENTE PACIENTE MEDICO PRESTADOR FORNECEDOR PRODUTO USUARIO FUNCIONARIO
  FILIAL LOJA AGENCIA BANCO CONTA PARCELA SERIE FATURA BOLETO TITULO RECIBO CUPOM`,
)
/**
 * Numbers under a heading that begins with such a word ('Item do pedido') name things or put them in order.
 */
const NAMES = words(
  `LOTE ORDEM OS PROCESSO PEDIDO PROTOCOLO GUIA SEQUENCIA SEQUENCIAL ITEM RANKING RANK POSICAO COLOCACAO CLASSIFICACAO
  PRIORIDADE CHAMADO TICKET ATENDIMENTO INTERNACAO PRONTUARIO SENHA AUTORIZACAO SOLICITACAO REQUISICAO REMESSA APOLICE
  SINISTRO PROPOSTA TURMA SALA QUARTO LEITO ANDAR LINHA PAGINA FOLHA VERSAO ETAPA FASE CLASSE CATEGORIA GRUPO SUBGRUPO
  SETOR ZONA SECAO REGIAO DISTRITO IDENTIFICADOR IDENTIFICACAO`,
)
/** Names that may also be an amount, such as the cost of a stay. A number with decimals is an amount. */
const EVENTS = words('SINISTRO INTERNACAO ATENDIMENTO PROPOSTA REMESSA')
const AMOUNTS = words(
  `QT QTD QTDE QUANT QUANTIDADE QTDADE VL VLR VAL VALOR TOTAL SALDO CUSTO RECEITA DESPESA PAGO FATURAMENTO VENDA VENDAS
  SOMA MENSALIDADE CASOS OBITOS INTERNACOES CONSULTAS HABITANTES POPULACAO VIDAS BENEFICIARIOS ESTOQUE ESTOQUES
  SALDOS ACUMULADO ACUMULADOS ACUMULADA ACUMULADAS ACUM`,
)
/** Counted things, at the start of a heading only: 'Grupo de clientes' is not a count. */
const COUNTED_THINGS = words(
  `ITENS UNIDADES PECAS PEDIDOS GUIAS PROCESSOS PROTOCOLOS LOTES ORDENS CHAMADOS ATENDIMENTOS EXAMES PROCEDIMENTOS
  CIRURGIAS SESSOES DIARIAS DOSES TESTES PARTOS NASCIMENTOS ALTAS ADMISSOES DEMISSOES FALTAS VISITAS VAGAS MATRICULAS
  ACIDENTES NOTIFICACOES RECLAMACOES CANCELAMENTOS ADESOES PESSOAS PACIENTES CLIENTES ALUNOS FUNCIONARIOS HORAS DIAS
  MINUTOS LITROS QUILOS METROS`,
)
const AVERAGES = words(
  'TAXA TAXAS TX PC PCT PERC PERCENTUAL PORCENTAGEM MEDIA MEDIO MEDIANA IDADE INDICE INDICES PRECO PRECOS RAZAO',
)
/** They make an average also within a heading, such as 'Valor unitário'. */
const WITHIN_AVERAGES = words('MEDIA MEDIO UNITARIO UNITARIA UNITARIOS UNITARIAS UNIT PERCENTUAL')
/** Measures of which a sum means nothing, at the start or the end of a heading. */
const MEASURES = words(
  `NOTA NIVEL GRAU NPS CSAT SATISFACAO AVALIACAO RATING SCORE ESCORE TEMPERATURA UMIDADE PRESSAO VELOCIDADE ALTURA IMC IDH IDHM
  IDEB IPCA INPC IGPM SELIC CDI INFLACAO SINISTRALIDADE COTACAO CAMBIO PROPORCAO`,
)
/** Amounts that are there, not amounts that happen. */
const STOCKS = words(
  `ATIVO ATIVOS ATIVA ATIVAS SALDO SALDOS ESTOQUE ESTOQUES POPULACAO HABITANTES VIDAS LEITOS CADASTRADOS ACUMULADO
  ACUMULADOS ACUMULADA ACUMULADAS ACUM`,
)
/** Stocks that a row may carry on from the row before it, such as the balance of a bank statement. */
const RUNNING = words('SALDO SALDOS ACUMULADO ACUMULADOS ACUMULADA ACUMULADAS ACUM')
/** Amounts whatever word comes last, except a share: 'Total de códigos', 'QT_ID'. */
const COUNTED = words('QT QTD QTDE QUANT QUANTIDADE QTDADE VL VLR VAL VALOR TOTAL SOMA')

/* What the last word of a heading says, as in 'cliente_id', 'fone_ddd' and 'Cobertura pct'. */
const LAST_CODES = words('CD COD CODIGO ID DDD DDI SEQ CHAVE LAT LON LATITUDE LONGITUDE')
/** They are a unit, so that no word before them makes an amount of the number. */
const LAST_SHARES = words('PCT PERC PERCENTUAL PORCENTAGEM')
const LAST_AVERAGES = words('TAXA TX MEDIANA INDICE PRECO RAZAO')
/** Before the last word: 'Valor do mês', 'Casos por ano'. */
const PREPOSITIONS = words('DE DO DA DOS DAS POR NO NA NOS NAS AO EM PARA COM SEM')
const MONEY = words(
  'VL VLR VALOR VALORES CUSTO CUSTOS PRECO PRECOS RECEITA DESPESA DESPESAS PAGO FATURAMENTO MENSALIDADE',
)
/** Numbers of things, or shares, of which money may be the object: 'Qtd de valores', 'Índice de custo'. */
const NO_MONEY = words('QT QTD QTDE QUANT QUANTIDADE QTDADE TAXA TX INDICE PC PCT PERC PERCENTUAL')
/** Amounts in thousands or millions: R$ 1.234,50 would be read as a thousandth of them. */
const SCALED = /(^|[^\p{L}])(mil|milhares|milh[aãoõ][oe]s?|bilh[aãoõ][oe]s?)([^\p{L}]|$)/iu
const OTHER_CURRENCY = /us\$|u\$|[€£]|(^|[^\p{L}])(usd|eur|d[oó]lar(es)?|euros?)([^\p{L}]|$)/iu

/** The heading of amounts of a year or a month, as TABNET and SIDRA have them: '2024', '2026/Jan'. */
const PERIOD =
  /^(19|20)\d{2}([/ -]?(0[1-9]|1[0-2]))?$|^((19|20)\d{2}[/ -])?(jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)[a-zç]*([/ -](19|20)?\d{2})?$/i

/** 'Nº de Internações' → ['N', 'DE', 'INTERNACOES'], 'idCliente2' → ['ID', 'CLIENTE', '2'], but 'CO2' */
const tokensOf = (label: string): string[] =>
  withoutAccents(label)
    .replace(/[º°]/g, '')
    .replace(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z]{2})/g, '$1$2 ')
    .replace(/([a-z]{3}|(?<![a-z])(?:id|cd|vl|qt))(?=\d)|(\d)(?=[a-z]{3})/gi, '$1$2 ')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(Boolean)

/** Returns the last word of a heading of several, without numbers; none after a preposition. */
const lastOf = (tokens: string[]): string => {
  const at = tokens.findLastIndex((token) => !/^\d+$/.test(token))
  return at < 1 || PREPOSITIONS.has(tokens[at - 1] ?? '') ? '' : (tokens[at] ?? '')
}

/** Returns what the last word of the heading of a number says; undefined where it says nothing. */
const lastUse = (tokens: string[], { evidence }: DraftColumn): 'average' | 'code' | undefined => {
  const [first = ''] = tokens
  const last = lastOf(tokens)
  if (LAST_SHARES.has(last)) return 'average'
  if (COUNTED.has(first)) return undefined
  if (LAST_CODES.has(last)) return 'code'
  if (LAST_AVERAGES.has(last)) return 'average'
  // 'Vendas mês' may be amounts, also small ones.
  const isPeriod = evidence.isYear || evidence.month || (evidence.isCalendar && !AMOUNTS.has(first))
  return TIMES.has(last) && isPeriod ? 'code' : undefined
}

/** Whether the number is the price of one: 'Custo (R$/kg)', 'Valor un.' */
const isPerUnit = (label: string, tokens: string[]): boolean =>
  /r\$\s*\/\s*\p{L}/iu.test(label) || (MONEY.has(tokens[0] ?? '') && UNITS.has(lastOf(tokens)))
const UNITS = words('UN UND')

/** Whether the number names one thing, unless the file or the heading says that it is an amount. */
const isName = ({ label, shownAs }: DraftColumn, tokens: string[], hasDecimals: boolean): boolean => {
  const [first = ''] = tokens
  if (shownAs !== undefined || /r\$/i.test(label)) return false
  if (tokens.length === 1 && THINGS.has(first)) return !hasDecimals
  if (hasDecimals && EVENTS.has(first)) return false
  // Items and levels are also numbered as 1.1 and 1.2.
  return NAMES.has(first) && !COUNTED.has(lastOf(tokens)) && !MONEY.has(lastOf(tokens))
}

/** Whether a unit comes before the age, as DATASUS writes it: 4045 (SINAN) or 445 (SIM) are 45 years. */
const isCodedAge = ({ evidence: { digits = 0 } }: DraftColumn, tokens: string[]): boolean =>
  digits >= 3 && !tokens.some((token) => token === 'MESES' || token === 'DIAS')

/** Returns what the heading of a number says; undefined where it says nothing. */
const namedUse = (column: DraftColumn, hasDecimals: boolean): 'sum' | 'average' | 'code' | undefined => {
  const { label } = column
  const tokens = tokensOf(label)
  const [first = '', second = ''] = tokens
  if (PERIOD.test(label.trim())) return 'sum'
  const isAny = (set: Set<string>) => tokens.some((token) => set.has(token))
  if (CODES.has(first) || /\(c[oó]digo\)\s*$/i.test(label)) return 'code'
  if (tokens.length === 0 && label.includes('#')) return 'code'
  if (isAny(WITHIN_AVERAGES) || label.includes('%') || isPerUnit(label, tokens)) return 'average'
  if (tokens.includes('IDADE') && !COUNTED.has(first)) return isCodedAge(column, tokens) ? 'code' : 'average'
  if (isName(column, tokens, hasDecimals)) return 'code'
  const last = lastUse(tokens, column)
  if (last) return last
  if (MEASURES.has(first) || (!COUNTED.has(first) && MEASURES.has(lastOf(tokens)))) {
    // An invoice is a 'nota' too.
    const { isScore, isSequence } = column.evidence
    const isInvoice = tokens.includes('NOTA') && (tokens.includes('FISCAL') || !isScore || isSequence)
    return isInvoice ? 'code' : 'average'
  }
  if (AVERAGES.has(first)) return first === 'PRECO' && isAny(words('TOTAL')) ? 'sum' : 'average'
  if (AMOUNTS.has(first)) return 'sum'
  if (TIMES.has(first)) return 'code'
  // A spreadsheet writes days without a format as numbers: 46086. The costs of a data center are none.
  const isMoney = column.shownAs === 'money' || column.shownAs === 'foreign'
  if (DATES.has(first) && !isMoney) return 'code'
  if (isAny(REGISTERS)) return 'code'
  if (NUMBERS.has(first)) {
    if (second === 'DE') return 'sum'
    // INEP writes grades as NU_NOTA_MT.
    return hasDecimals && second !== '' && !TIMES.has(second) ? 'average' : 'code'
  }
  return isAny(AMOUNTS) || COUNTED_THINGS.has(first) ? 'sum' : undefined
}

/** Returns what a number is used for, by its heading first, then by its values. */
const useOfNumber = (column: DraftColumn, rows: number): ColumnUse => {
  const { type, shownAs, isPartlyPercent, isAmount, isKey, distinct, evidence } = column
  const isWhole = type === 'integer' || evidence.isWhole
  const named = namedUse(column, !isWhole)
  if ((shownAs === 'percent' || isPartlyPercent) && named !== 'code') return 'average'
  if (named !== undefined) return named
  if (evidence.month) return 'time'
  if (shownAs === 'money' || shownAs === 'foreign') return 'sum'
  // Numbers up to 1 with decimals are shares more often than amounts, and the title says how they are read.
  if (!isWhole) return evidence.isFraction ? 'average' : 'sum'
  if (isAmount) return 'sum'
  const isCategory = distinct <= MAX_CATEGORIES && rows >= distinct * ROWS_OF_A_CATEGORY
  const digits = evidence.digits ?? 0
  const isSome = rows > SOME_ROWS
  const isUnique = rows > MANY_ROWS && (distinct === rows || (rows > COUNTED_ROWS && isKey))
  const isKeyOfDigits = isKey && isSome && digits >= KEY_DIGITS
  const isNumbering = evidence.isSequence || (type === 'integer' && (isUnique || isKeyOfDigits))
  const isCode = digits >= (isSome ? CODE_DIGITS : LONG_DIGITS)
  return isNumbering || isCode || isCategory || evidence.isYear ? 'code' : 'sum'
}

const isRegister = ({ label }: DraftColumn) => {
  const tokens = tokensOf(label)
  const isKey = [tokens[0], lastOf(tokens)].some((token) => token === 'CD' || token === 'ID')
  return isKey || tokens.some((token) => NUMBERED.has(token))
}
/** Texts that are numbers of one thing each. */
const NUMBERED = words(
  'CEP CPF CNPJ CNS TELEFONE CELULAR MATRICULA CARTEIRA CARTEIRINHA PROTOCOLO DDD CODIGO COD',
)

/** Returns what each column is used for. @param rows the number of rows of the table */
export const usesOf = (columns: DraftColumn[], rows: number): ColumnUse[] => {
  const uses = columns.map((column): ColumnUse => {
    const { type, distinct, isKey, evidence } = column
    if (type === 'date' || type === 'timestamp') return distinct > 1 ? 'time' : 'none'
    const isAmount = type !== 'text' && namedUse(column, false) === 'sum'
    if (evidence.month && !isAmount && type !== 'other') return 'time'
    if (type === 'integer' || type === 'number') return useOfNumber(column, rows)
    if (type === 'other') return 'none'
    if (type === 'text' && isRegister(column)) return 'code'
    return distinct > 1 && distinct <= MAX_VALUES && !isKey ? 'group' : 'none'
  })
  const time = timeAmong(columns, uses)
  const { length: years } = columns.filter(
    (one, index) =>
      one.distinct > 1 && (isPeriodOf(one, YEARS) || (one.evidence.isYear && uses[index] !== 'sum')),
  )
  // Its values are those of each year: a group of them would add up several.
  const isShared = ({ label, evidence }: DraftColumn) =>
    (years > 0 || time !== undefined) &&
    (evidence.yearlessMonth === 'name' || isPeriodOf({ label }, PARTS_OF_A_YEAR))
  // 'Ano', or 'Mês' with the names of months.
  const hasOtherTime = columns.some((one, index) => {
    const tokens = tokensOf(one.label)
    const isPeriod =
      TIMES.has(tokens[0] ?? '') ||
      DATES.has(tokens[0] ?? '') ||
      (uses[index] !== 'sum' && TIMES.has(lastOf(tokens)))
    return one.distinct > 1 && isPeriod
  })
  const hasFlows = uses.some((use, index) => use === 'sum' && !hasWord(columns[index], STOCKS))
  return uses.map((use, index) => {
    const column = columns[index]
    if (column && (column === time?.column || column === time?.year)) return 'time'
    if (use === 'group' && column && isShared(column)) return 'code'
    if (use !== 'sum' || !hasWord(columns[index], STOCKS)) return use
    const isBalance = tokensOf(columns[index]?.label ?? '')[0] === 'SALDO'
    const isRunning = isBalance || (hasFlows && hasWord(columns[index], RUNNING))
    if (!time) return hasOtherTime || (isRunning && hasFlows) ? 'average' : 'sum'
    // A balance next to amounts follows from the row before it: only one row of a day is its state.
    const periods = time.column.distinct * (time.year?.distinct ?? 1)
    const isOnePerDay = rows === periods && time.column.type !== 'timestamp'
    const areSnapshots = rows >= periods * 2 && !isRunning
    return isOnePerDay || areSnapshots ? 'stock' : 'average'
  })
}

const hasWord = (column: DraftColumn | undefined, set: Set<string>) =>
  tokensOf(column?.label ?? '').some((token) => set.has(token))

const YEARS = words('ANO EXERCICIO')
const MONTHS = words('MES')
const PARTS_OF_A_YEAR = words('MES TRIMESTRE SEMESTRE BIMESTRE QUADRIMESTRE SEMANA')
/** Whether the heading begins or ends with one of these words. */
const isPeriodOf = ({ label }: Pick<DraftColumn, 'label'>, set: Set<string>): boolean => {
  const tokens = tokensOf(label)
  return set.has(tokens[0] ?? '') || set.has(lastOf(tokens))
}

/** The column of the time axis: days, months, or months whose year is in another column. */
export type TimeColumns<Column> = { column: Column; year: Column | undefined }

/** Returns the column of the time axis: months before days, and months beside their years after both. */
export const timeAmong = <Column extends DraftColumn>(
  columns: Column[],
  uses: ColumnUse[],
): TimeColumns<Column> | undefined => {
  const times = columns.filter(({ distinct }, index) => uses[index] === 'time' && distinct > 1)
  const isWhole = ({ evidence: { month, yearlessMonth, isYear } }: Column) =>
    (!yearlessMonth && !isYear) || month
  const found = times.find(({ evidence }) => evidence.month !== undefined) ?? times.find(isWhole)
  if (found) return { column: found, year: undefined }
  const isUsed = (one: Column) => uses[columns.indexOf(one)] !== 'sum'
  const year = columns.find((one) => one.evidence.isYear && isPeriodOf(one, YEARS) && isUsed(one))
  const month = columns.find(
    (one) => one.evidence.yearlessMonth !== undefined && isPeriodOf(one, MONTHS) && isUsed(one),
  )
  return year && month && year.distinct * month.distinct > 1 ? { column: month, year } : undefined
}

/** Whether a number is an amount of money: the file, or else the heading, says so. */
export const isMoney = ({ shownAs, label }: DraftColumn, all: DraftColumn[]): boolean => {
  if (shownAs !== undefined) return shownAs === 'money' && !SCALED.test(label)
  const tokens = tokensOf(label)
  const [first = '', second = ''] = tokens
  const isCount = NO_MONEY.has(first) || (NUMBERS.has(first) && second === 'DE')
  if (
    SCALED.test(label) ||
    OTHER_CURRENCY.test(label) ||
    isCount ||
    LAST_SHARES.has(lastOf(tokens)) ||
    label.includes('%')
  )
    return false
  // SIDRA says the unit of 'Valor' in another column.
  const hasUnit = all.some((one) => /^unidade de medida/i.test(one.label))
  if (hasUnit && tokens.length === 1) return false
  return /r\$/i.test(label) || tokens.some((token) => MONEY.has(token))
}

/** The order of measures: money, totals, amounts by their heading, decimals, averages, the rest. */
export const rankOf = (column: DraftColumn, use: ColumnUse, all: DraftColumn[]): number => {
  const [first = ''] = tokensOf(column.label)
  if (use === 'average') return column.shownAs === 'percent' ? 3 : 4
  if (isMoney(column, all)) return 0
  if (first === 'TOTAL') return 1
  if (AMOUNTS.has(first)) return 2
  return column.type === 'number' ? 3 : 5
}
