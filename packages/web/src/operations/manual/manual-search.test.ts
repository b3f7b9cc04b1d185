import { expect, test } from 'vitest'
import type { ManualPage } from './manual-pages.ts'
import { excerptOf, RESULTS_SHOWN, searchManual, sectionsOf } from './manual-search.ts'

const page: ManualPage = {
  slug: 'usar',
  title: 'Entrar e abrir relatórios',
  headings: [],
  html: `<p>Esta página é para todos.</p>
<h2 id="sair"><a href="#sair">Sair</a></h2>
<p>A sessão termina.</p>
<h3 id="exportação"><a href="#exportação">Exportação</a></h3>
<table><tbody><tr><td>PDF</td>
<td>uma página por folha</td></tr></tbody></table>`,
}
const sections = sectionsOf(page)
const found = (search: string) => searchManual(sections, search).shown.map(({ to }) => to)

test('the manual search divides a page at its headings', () => {
  expect(sections.map(({ heading, to }) => [heading, to])).toEqual([
    ['Entrar e abrir relatórios', '/ajuda/usar'],
    ['Sair', '/ajuda/usar#sair'],
    ['Exportação', '/ajuda/usar#exportação'],
  ])
})

test('the manual search finds words in any order, ignoring case and accents', () => {
  expect(found('TERMINA sessao')).toEqual(['/ajuda/usar#sair'])
  expect(found('folha exportacao pdf')).toEqual(['/ajuda/usar#exportação'])
  expect(found('sessão folha')).toEqual([])
})

test('the manual search puts sections first whose heading has all words', () => {
  const text = { page: 'P', heading: 'Outra', to: '/a', text: 'Aqui se fala em sair.' }
  expect(searchManual([text, ...sections], 'sair').shown.map(({ heading }) => heading)).toEqual([
    'Sair',
    'Outra',
  ])
})

test('the manual search shows page, heading and an excerpt with the found words marked', () => {
  const [result] = searchManual(sections, 'sessao').shown
  expect(result).toEqual({
    page: 'Entrar e abrir relatórios',
    heading: 'Sair',
    to: '/ajuda/usar#sair',
    excerpt: [
      { text: 'A ', isMarked: false },
      { text: 'sessão', isMarked: true },
      { text: ' termina. ', isMarked: false },
    ],
  })
})

test('the manual search cuts a long text around the first found word', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join(' ')
  const text = excerptOf(`${words(50)} achado ${words(50)}`, 'achado')
    .map((part) => part.text)
    .join('')
  expect(text).toMatch(/^… p42 .* p49 achado p0 .*…$/)
})

test('the manual search shows a limited number of results and their total', () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    page: 'P',
    heading: 'Sair',
    to: `/${index}`,
    text: '',
  }))
  const { total, shown } = searchManual(many, 'sair')
  expect([total, shown.length]).toEqual([60, RESULTS_SHOWN])
})
