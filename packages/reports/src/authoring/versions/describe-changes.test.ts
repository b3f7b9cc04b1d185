import { describe, expect, test } from 'vitest'
import { plainReport, visual } from '../../../test/fixture.ts'
import { ReportDefinition } from '../../definitions/definition.ts'
import { describeDefinition, replacedData } from './describe-changes.ts'

const before = ReportDefinition.parse(plainReport)
const [page = before.pages[0]] = before.pages
const after = (more: object) =>
  describeDefinition(before, ReportDefinition.parse({ ...plainReport, ...more }))
const withVisuals = (...visuals: object[]) => ({ pages: [{ ...page, visuals }] })
const known = visual('n', 'SELECT count(*) AS n FROM Claims')

describe('describeDefinition', () => {
  test.each([
    ['new visuals', withVisuals(known, visual('a', 'SELECT 1'), visual('b', 'SELECT 2')), '2 visuais novos'],
    ['a changed and a removed visual', withVisuals({ ...known, title: 'Outro' }), '1 visual alterado'],
    ['replaced visuals', withVisuals(visual('b', 'SELECT 2')), '1 visual novo, 1 visual retirado'],
    ['a new page', { pages: [page, { ...page, name: 'Outra' }] }, '1 página nova, 1 visual novo'],
    ['a renamed page', { pages: [{ ...page, displayName: 'Outra' }] }, '1 página alterada'],
    ['another name', { name: 'Outro nome' }, 'nome “Outro nome”'],
    ['another setting', { notice: 'Números fictícios' }, 'ajustes do relatório'],
  ])('describeDefinition names %s', (_name, more, sentence) => {
    expect(after(more)).toBe(`Definição alterada: ${sentence}`)
  })

  test('describeDefinition says when only the text differs', () => {
    expect(after({})).toBe('Texto da definição alterado')
  })
})

test('replacedData counts as Brazilians write', () => {
  expect([replacedData(5_000), replacedData(1)]).toEqual([
    'Dados substituídos (5.000 linhas)',
    'Dados substituídos (1 linha)',
  ])
})
