import { describe, expect, test } from 'vitest'
import { formatOf } from './number-formats.ts'

const kindOf = (code: string) => formatOf(164, code).kind

describe('formatOf', () => {
  test.each([
    // As Excel in Portuguese and in English, LibreOffice and Google write them.
    ['dd/mm/yyyy', 'date'],
    ['dd/mm/yyyy;@', 'date'],
    ['dd/mm/aaaa', 'date'],
    ['[$-416]d "de" mmmm "de" yyyy;@', 'date'],
    ['[$-416]mmm\\-yy;@', 'date'],
    ['mmmm', 'date'],
    ['yyyy\\-mm\\-dd', 'date'],
    ['dd/mm/yyyy\\ hh:mm', 'datetime'],
    ['m/d/yy h:mm AM/PM', 'datetime'],
    ['yyyy-mm-dd"T"hh:mm:ss', 'datetime'],
    ['hh:mm', 'time'],
    ['h:mm:ss', 'time'],
    ['mm:ss', 'time'],
    ['h"h"mm', 'time'],
    ['[$-F400]h:mm:ss\\ AM/PM', 'time'],
    ['[h]:mm', 'elapsed'],
    ['[hh]:mm:ss', 'elapsed'],
    ['[mm]:ss', 'elapsed'],
    ['0%', 'percent'],
    ['0.00%;[Red]-0.00%', 'percent'],
    ['"R$" #,##0.00', 'money'],
    ['"R$"\\ #,##0.00;[Red]\\-"R$"\\ #,##0.00', 'money'],
    ['[$R$-416] #,##0.00', 'money'],
    ['_-"R$"\\ * #,##0.00_-;\\-"R$"\\ * #,##0.00_-;_-"R$"\\ * "-"??_-;_-@_-', 'money'],
    ['R$ #,##0.00', 'money'],
    ['[$BRL] #,##0.00', 'money'],
    ['[$US$-409]#,##0.00', 'foreign'],
    ['"US$" #,##0.00', 'foreign'],
    ['"$"#,##0.00_);("$"#,##0.00)', 'foreign'],
    ['[$€-407] #,##0.00', 'foreign'],
    ['[$USD] #,##0.00', 'foreign'],
    ['[$-416]#,##0.00', 'number'],
    ['[$-416]dd/mm/yyyy', 'date'],
    ['General', 'number'],
    ['General" dias"', 'number'],
    ['Padrão', 'number'],
    ['0', 'number'],
    ['#,##0.00', 'number'],
    ['0.00E+00', 'number'],
    ['# ?/?', 'number'],
    ['# ##0', 'number'],
    ['[>=1000]#,##0.0," mil";0', 'number'],
    ['0.0" dias"', 'number'],
    ['0" meses"', 'number'],
    ['"sim";"não"', 'number'],
    ['#,##0_M_M;#,##0_M_M', 'number'],
    ['0.0\\h', 'number'],
    ['[Red]0.00', 'number'],
    ['00.00', 'number'],
    ['@', 'text'],
    ['00000\\-000', 'mask'],
    ['00000-000', 'mask'],
    ['0000', 'mask'],
    ['000 000 000', 'mask'],
    ['(##) ####-####', 'mask'],
    ['"TRUE";"TRUE";"FALSE"', 'boolean'],
    ['"VERDADEIRO";"VERDADEIRO";"FALSO"', 'boolean'],
  ])('formatOf takes %s for %s', (code, kind) => {
    expect(kindOf(code)).toBe(kind)
  })

  test.each([
    ['00000\\-000', 1_310_100, '01310-100'],
    ['000"."000"."000"-"00', 1_234_567_890, '012.345.678-90'],
    ['00"."000"."000"/"0000"-"00', 191, '00.000.000/0001-91'],
    ['00000000\\/0000\\-00', 191, '00000000/0001-91'],
    ['00000000/0000-00', 191, '00000000/0001-91'],
    ['00000000000', 12_345_678, '00012345678'],
    ['[<=9999999999](00)\\ 0000\\-0000;(00)\\ 00000\\-0000', 1_133_334_444, '(11) 3333-4444'],
    ['[<=9999999999](00)\\ 0000\\-0000;(00)\\ 00000\\-0000', 11_933_334_444, '(11) 93333-4444'],
    ['000', 12_345, '12345'],
    ['000', -1, undefined],
    ['000', 1.5, undefined],
  ])('formatOf writes with %s the number %s as %s', (code, value, text) => {
    expect(formatOf(164, code).maskOf?.(value)).toBe(text)
  })

  test('formatOf knows the formats that a file only numbers', () => {
    const kinds = [0, 1, 4, 9, 10, 14, 22, 44, 45, 46, 49].map((id) => formatOf(id, undefined).kind)
    expect(kinds).toEqual([
      'number',
      'number',
      'number',
      'percent',
      'percent',
      'date',
      'datetime',
      'money',
      'time',
      'elapsed',
      'text',
    ])
  })
})
