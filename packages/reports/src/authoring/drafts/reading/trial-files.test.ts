import { expect, test } from 'vitest'
import { useDrafts } from '../../../../test/draft-calls.ts'
import { type TestCell, workbookOf } from '../../../../test/workbooks.ts'

/* Small files as people have them, with the right answer to each, through the page's own call. */

const drafts = useDrafts()

type Rows = (string | null)[][]
interface Answer {
  /** Heading, type, and how it is shown. */
  columns: string[]
  preview: Rows
  remarks?: string[]
  totals?: number
  /** What the proposal says of the columns. */
  explanation?: string[]
}

const csvOf = (...lines: string[]) => Buffer.from(`${lines.join('\r\n')}\r\n`)
const sheetOf = (...rows: TestCell[][]) => workbookOf({ sheets: [{ rows }] })

const cases: [string, string, Buffer, Answer][] = [
  [
    'the minus of typesetting before numbers',
    'saldos.csv',
    csvOf('Item;Valor;Taxa', 'A;−1.234,56;–8%', 'B;980,10;12%', 'C;− 30;−0,5%', 'D;R$ —12,00;7%'),
    {
      columns: ['Item text', 'Valor number money', 'Taxa number percent'],
      preview: [
        ['A', '-1234.56', '-0.08'],
        ['B', '980.1', '0.12'],
        ['C', '-30.0', '-0.005'],
        ['D', '-12.0', '0.07'],
      ],
      remarks: [
        'coluna Valor: 3 valores com um traço no lugar do sinal de menos ("−1.234,56") são negativos, o primeiro na linha 2',
        'coluna Taxa: 2 valores com um traço no lugar do sinal de menos ("–8%") são negativos, o primeiro na linha 2',
      ],
      explanation: ['Somadas: Valor.', 'Médias: Taxa.'],
    },
  ],
  [
    'the minus of typesetting in the texts of a sheet, also beside numbers',
    'saldos.xlsx',
    sheetOf(['Item', 'Valor', 'Misto'], ['A', '−1,5', '−2,25'], ['B', '2,5', 3], ['C', '−', 4]),
    {
      columns: ['Item text', 'Valor number', 'Misto number'],
      preview: [
        ['A', '-1.5', '-2.25'],
        ['B', '2.5', '3.0'],
        ['C', null, '4.0'],
      ],
      remarks: [
        'coluna Valor: 1 valor sem dado ("−") ficou vazio, na linha 4',
        'coluna Valor: 1 valor com um traço no lugar do sinal de menos ("−1,5") é negativo, na linha 2',
        'coluna Misto: 1 valor com um traço no lugar do sinal de menos ("−2,25") é negativo, na linha 2',
      ],
    },
  ],
  [
    'dashes between numbers and in words as texts',
    'faixas.csv',
    csvOf('Faixa;Nota', '0–4;– alta', '5–9;– baixa'),
    {
      columns: ['Faixa text', 'Nota text'],
      preview: [
        ['0–4', '– alta'],
        ['5–9', '– baixa'],
      ],
    },
  ],
  [
    'thousands after a space, a long dash and a plus',
    'espaços.csv',
    csvOf('Setor;Valor', 'A;10 237,65', 'B;–', 'C;+1,5'),
    {
      columns: ['Setor text', 'Valor number'],
      preview: [
        ['A', '10237.65'],
        ['B', null],
        ['C', '1.5'],
      ],
      remarks: [
        'coluna Valor: 1 valor sem dado ("–") ficou vazio, na linha 3',
        'coluna Valor: 1 valor com espaço de milhar ("10 237,65") é número, na linha 2',
        'coluna Valor: 1 valor com o sinal + ("+1,5") é número, na linha 4',
      ],
    },
  ],
  [
    'dashes behind numbers as texts',
    'de-idade.csv',
    csvOf('Idade;Casos', '10–;3', '20–;4', '80–;5'),
    {
      columns: ['Idade text', 'Casos integer'],
      preview: [
        ['10–', '3'],
        ['20–', '4'],
        ['80–', '5'],
      ],
    },
  ],
  [
    'one company called Total as a company',
    'operadoras.csv',
    csvOf('Operadora;CNPJ;Valor', 'Vida;11;10', 'Total Saúde;;30', 'Bem;33;20', 'Lar;44;25'),
    {
      columns: ['Operadora text', 'CNPJ integer', 'Valor integer'],
      preview: [
        ['Vida', '11', '10'],
        ['Total Saúde', null, '30'],
        ['Bem', '33', '20'],
        ['Lar', '44', '25'],
      ],
      remarks: [],
    },
  ],
  [
    'no moment at 24:00, which would be of another day',
    'entradas.csv',
    csvOf('Leito;Alta', 'A;06/03/2026 24:00', 'B;06/03/2026 8:30', 'C;07/03/2026 10:30'),
    {
      columns: ['Leito text', 'Alta text'],
      preview: [
        ['A', '06/03/2026 24:00'],
        ['B', '06/03/2026 8:30'],
        ['C', '07/03/2026 10:30'],
      ],
      remarks: ['a coluna Alta fica como texto: na linha 2, "06/03/2026 24:00" não é uma data'],
    },
  ],
  [
    'no moment after 24:00',
    'tarde.csv',
    csvOf('Leito;Alta', 'A;06/03/2026 24:01', 'B;06/03/2026 10:30', 'C;06/03/2026 11:30'),
    {
      columns: ['Leito text', 'Alta text'],
      preview: [
        ['A', '06/03/2026 24:01'],
        ['B', '06/03/2026 10:30'],
        ['C', '06/03/2026 11:30'],
      ],
      remarks: ['a coluna Alta fica como texto: na linha 2, "06/03/2026 24:01" não é uma data'],
    },
  ],
  [
    'a heading with quotes and the delimiter',
    'aspas.csv',
    csvOf('"Item ""x"";y";"Valor ""bruto"", R$";Qtd', '"a ""b"";c";1,5;1', 'B;2,5;2'),
    {
      columns: ['Item "x";y text', 'Valor "bruto", R$ number', 'Qtd integer'],
      preview: [
        ['a "b";c', '1.5', '1'],
        ['B', '2.5', '2'],
      ],
    },
  ],
  [
    'months without a leading zero as months',
    'meses.csv',
    csvOf('Mês;Data ref;Valor', '1/2026;2025-9;1,5', '2/2026;2025-10;2,5', '12/2026;2025-11;3,5'),
    {
      columns: ['Mês text', 'Data ref text', 'Valor number'],
      preview: [
        ['1/2026', '2025-9', '1.5'],
        ['2/2026', '2025-10', '2.5'],
        ['12/2026', '2025-11', '3.5'],
      ],
      explanation: ['Somadas: Valor.', 'No eixo do tempo: Mês.'],
    },
  ],
  [
    'halves of years as no months',
    'semestres.csv',
    csvOf('Semestre;Valor', '1/2026;1,5', '2/2026;2,5', '1/2026;3,5', '2/2026;3,5'),
    {
      columns: ['Semestre text', 'Valor number'],
      preview: [
        ['1/2026', '1.5'],
        ['2/2026', '2.5'],
        ['1/2026', '3.5'],
        ['2/2026', '3.5'],
      ],
      explanation: ['Somadas: Valor.', 'Em filtros e grupos: Semestre.'],
    },
  ],
  [
    'a heading that ends in a point, with one point after it',
    'abreviado.csv',
    csvOf('Cidade;hab.', 'A;100', 'B;250'),
    {
      columns: ['Cidade text', 'hab. integer'],
      preview: [
        ['A', '100'],
        ['B', '250'],
      ],
      explanation: ['Somadas: hab.'],
    },
  ],
  [
    'equal headings with numbers',
    'iguais.csv',
    csvOf('Nome;Valor;valor;Valor 2;VALOR', 'A;1;2;3;4', 'B;5;6;7;8'),
    {
      columns: ['Nome text', 'Valor integer', 'valor 3 integer', 'Valor 2 integer', 'VALOR 4 integer'],
      preview: [
        ['A', '1', '2', '3', '4'],
        ['B', '5', '6', '7', '8'],
      ],
      remarks: [
        'o cabeçalho repete nomes, que aqui levam um número: a coluna 3 é valor 3 e a coluna 5 é VALOR 4',
      ],
    },
  ],
  [
    'equal headings and a column without one in a sheet',
    'iguais.xlsx',
    sheetOf(['Nome', 'Valor', 'Valor', null], ['A', 1, 2, 3], ['B', 5, 6, 7]),
    {
      columns: ['Nome text', 'Valor integer', 'Valor 2 integer', 'Coluna 4 integer'],
      preview: [
        ['A', '1', '2', '3'],
        ['B', '5', '6', '7'],
      ],
      remarks: [
        'o cabeçalho repete nomes, que aqui levam um número: a coluna C é Valor 2',
        'uma coluna com valores não tem nome no cabeçalho: aqui ela é Coluna 4',
      ],
    },
  ],
  [
    'totals of groups as totals',
    'setores.csv',
    csvOf(
      'Setor;Unidade;Valor',
      'A;u1;10',
      'A;u2;20',
      'TOTAL SETOR A;;30',
      'B;u3;5',
      'B;u4;6',
      'TOTAL SETOR B;;11',
      'TOTAL GERAL;;41',
    ),
    {
      columns: ['Setor text', 'Unidade text', 'Valor integer'],
      preview: [
        ['A', 'u1', '10'],
        ['A', 'u2', '20'],
        ['TOTAL SETOR A', null, '30'],
        ['B', 'u3', '5'],
        ['B', 'u4', '6'],
        ['TOTAL SETOR B', null, '11'],
        ['TOTAL GERAL', null, '41'],
      ],
      totals: 3,
      remarks: ['3 linhas parecem totais, a partir da linha 4: as somas as contam de novo'],
    },
  ],
  [
    'numbers with words behind them as texts, and says so',
    'milhoes.csv',
    csvOf('Item;Receita;Custo;Bi', 'A;1,2 mi;350 mil;R$ 1,5 bi', 'B;3,4 mi;20 mil;R$ 2 bilhões'),
    {
      columns: ['Item text', 'Receita text', 'Custo text', 'Bi text'],
      preview: [
        ['A', '1,2 mi', '350 mil', 'R$ 1,5 bi'],
        ['B', '3,4 mi', '20 mil', 'R$ 2 bilhões'],
      ],
      remarks: [
        ['Receita', '1,2 mi'],
        ['Custo', '350 mil'],
        ['Bi', 'R$ 1,5 bi'],
      ].map(
        ([name, value]) =>
          `a coluna ${name} fica como texto: na linha 2, "${value}" tem uma palavra depois do número. Escreva o número inteiro, como 1.200.000`,
      ),
    },
  ],
]

test.each(cases)('a draft reads %s (%s)', async (_name, file, bytes, answer) => {
  const id = await drafts.draft(bytes, file)
  const read = await drafts.call(`${id}/read`, { reportName: 'Ensaio' })
  await drafts.call(`${id}/discard`, {})
  expect(read.faults).toEqual([])
  expect({
    columns: read.columns.map(({ label, type, shownAs }: Record<string, string>) =>
      [label, type, shownAs].filter(Boolean).join(' '),
    ),
    preview: read.preview,
    remarks: read.remarks,
    totals: read.totals,
  }).toEqual({
    columns: answer.columns,
    preview: answer.preview,
    remarks: (answer.remarks ?? []).map((remark) => `${file}: ${remark}`),
    totals: answer.totals ?? 0,
  })
  if (answer.explanation) expect(read.explanation).toEqual(answer.explanation)
})
