import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonFault, pathOf, readJson } from './json-text.ts'

describe('readJson', () => {
  test('readJson returns the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!/__proto__|constructor|prototype/.test(text))
        expect(readJson(text).value).toEqual(JSON.parse(text))
        expect(readJson(`\uFEFF${JSON.stringify(JSON.parse(text), null, 2)}`).value).toEqual(JSON.parse(text))
      }),
    )
  })

  test('readJson throws JsonFault where JSON.parse throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:\\ \n\t-+.eE019nulltrefas\u0007'), maxLength: 20 }),
        (text) => {
          const isJson = (() => {
            try {
              JSON.parse(text)
              return true
            } catch {
              return false
            }
          })()
          const read = () => readJson(text)
          if (isJson) expect(read().value).toEqual(JSON.parse(text))
          else expect(read).toThrow(JsonFault)
        },
      ),
      { numRuns: 500 },
    )
  })

  test.each([
    ['{\n  "a": 1,\n}', 'esperava o nome de um campo entre aspas, e há "}"', 3, 1],
    ['{\n  "a" 1}', 'esperava : depois de "a", e há "1"', 2, 7],
    ['[1 2]', 'esperava , ou ], e há "2"', 1, 4],
    ['{"a": [1, 2', 'esperava , ou ], e o texto termina', 1, 12],
    ['{"a": "x\ny"}', 'texto sem aspas no fim, ou com um caractere que não pode', 1, 7],
    ["{'a': 1}", 'esperava o nome de um campo entre aspas, e há "\'"', 1, 2],
    ['{"a": 01}', 'esperava , ou }, e há "1"', 1, 8],
    ['{"a": 1} x', 'o JSON já terminou, e há "x"', 1, 10],
    ['', 'esperava um valor, e o texto termina', 1, 1],
    ['{"a": 1,\n "a": 2}', 'o campo a se repete', 2, 2],
    ['{"x": {"__proto__": {}}}', 'o nome __proto__ não é aceito', 1, 8],
    ['{"\\u005f_proto__": {}}', 'o nome __proto__ não é aceito', 1, 2],
    ['{"constructor": 1}', 'o nome constructor não é aceito', 1, 2],
    [`${'['.repeat(100_000)}`, 'mais de 60 níveis, um dentro do outro', 1, 62],
  ])('readJson reports for %j: %s', (text, message, line, column) => {
    const fault = (() => {
      try {
        readJson(text)
      } catch (error) {
        return error
      }
    })()
    expect(fault).toBeInstanceOf(JsonFault)
    expect(fault).toMatchObject({ message, place: { line, column } })
  })

  test('readJson returns the line and column of each value', () => {
    const { placeOf } = readJson('{\n  "a": [\n    1,\n    {"b": true}\n  ]\n}')
    expect(placeOf(pathOf('a[1].b'))).toEqual({ line: 4, column: 11 })
    expect(placeOf(pathOf('a[1].nada.mais'))).toEqual({ line: 4, column: 5 })
    expect(placeOf([])).toEqual({ line: 1, column: 1 })
  })
})
