import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const file = join(import.meta.dirname, '../../../docs/manual/usar.md')
const read = (markdown: string) => readPage(`# Título\n\n${markdown}`, file)

test('readPage takes the title and the headings with the anchors that GitHub computes', () => {
  const { title, headings, html } = read('## Só `isto` & aquilo?\n\n### Parte\n\n### Parte')
  expect(title).toBe('Título')
  expect(headings).toEqual([
    { id: 'só-isto--aquilo', text: 'Só isto & aquilo?', depth: 2 },
    { id: 'parte', text: 'Parte', depth: 3 },
    { id: 'parte-1', text: 'Parte', depth: 3 },
  ])
  expect(html).toContain(
    '<h2 id="só-isto--aquilo"><a href="#só-isto--aquilo">Só <code>isto</code> &amp; aquilo?</a></h2>',
  )
})

test('readPage links pages of the manual by their address, and names files that the portal does not serve', () => {
  expect(read('[A](contas.md#acesso-a-prontuários)').html).toContain(
    '<a href="/ajuda/contas#acesso-a-prontuários">A</a>',
  )
  expect(read('[A](README.md)').html).toContain('<a href="/ajuda">A</a>')
  expect(read('[A](../relatorios.md)').html).toContain('<a href="/ajuda/relatorios">A</a>')
  expect(read('[A](../../deploy/kubernetes)').html).toContain('A (<code>deploy/kubernetes</code>)')
  expect(read('[A](https://exemplo.com.br)').html).toContain(
    '<a href="https://exemplo.com.br" target="_blank" rel="noopener noreferrer">A</a>',
  )
})

test('readPage drops the rows of the list of pages whose page the portal does not serve', () => {
  const { html } = read('| página |\n|---|\n| [Galeria](../galeria.md) |\n| [Usar](usar.md) |')
  expect(html).not.toContain('Galeria')
  expect(html).toContain('<td data-label="página"><a href="/ajuda/usar">Usar</a></td>')
})

test('readPage gives pictures their size and text', () => {
  const { html, pictures } = read('![Menu "aberto"](../images/menu-phone-light.png)')
  expect(pictures).toEqual(['../images/menu-phone-light.png'])
  expect(html).toContain(
    '<img src="%PICTURE_0%" alt="Menu &quot;aberto&quot;" width="390" height="844" loading="lazy"',
  )
  expect(html).toContain('data-phone')
})

test.each([
  ['raw HTML', '<script>alert(1)</script>'],
  ['raw HTML in a line', 'a <img src=x onerror=alert(1)> b'],
  ['an address with a script', '[a](javascript:alert(1))'],
  ['an address of another scheme', '[a](data:text/html,x)'],
  ['an address of another host', '[a](//exemplo.com.br)'],
  ['a path from the root', '[a](/usuario)'],
  ['a picture of another host', '![a](https://exemplo.com.br/a.png)'],
  ['a picture that is no PNG', '![a](../images/a.svg)'],
  ['a heading with a link', '## [a](usar.md)'],
])('readPage refuses %s', (_, markdown) => {
  expect(() => read(markdown)).toThrow()
})

test('readPage escapes text that looks like HTML', () => {
  expect(read('`<b>` e 1 < 2').html).toContain('<code>&lt;b&gt;</code> e 1 &lt; 2')
})

test('readPage refuses a page without a title', () => {
  expect(() => readPage('Só texto', file)).toThrow('has no title')
})
