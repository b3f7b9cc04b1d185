import type { CurrentUser, MenuWorkspace } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { findActions } from './actions.ts'
import { findReports, findScreens } from './found.ts'

const workspace = (workspace: string, names: string[], first: number): MenuWorkspace => ({
  workspace,
  groupId: crypto.randomUUID(),
  idGrupoRelatorio: first,
  quantidade: names.length,
  relatorios: names.map((nome, index) => ({
    nome,
    reportId: crypto.randomUUID(),
    idRelatorio: first + index,
  })),
})
const menu = [
  workspace('Financeiro', ['Custo por operadora', 'Prestadores'], 10),
  workspace('Gestão de Saúde', ['Internações', 'Custo de internações'], 20),
]
const labels = (found: { label: string }[]) => found.map(({ label }) => label)
const reports = (text: string, recent: number[] = []) =>
  labels(
    findReports(
      menu,
      recent.map((idRelatorio) => ({ idRelatorio })),
      text,
    ),
  )
const person = (more: Partial<CurrentUser> = {}) =>
  ({ tipoUsuario: 'USER', acessoProntuario: false, encarregadoDados: false, ...more }) as CurrentUser

test('the quick search finds reports by words of report and workspace, in any order, without accents', () => {
  expect(reports('OPERADORA custo')).toEqual(['Custo por operadora'])
  expect(reports('saude internacoes')).toEqual(['Internações', 'Custo de internações'])
  expect(reports('custo saude nada')).toEqual([])
  expect(reports('de')).toEqual(['Custo de internações', 'Internações'])
  expect(findReports(menu, [], 'prestadores')[0]).toMatchObject({
    detail: 'Financeiro',
    to: `/relatorio-embed/financeiro/prestadores/${menu[0]?.groupId}/${menu[0]?.relatorios[1]?.reportId}`,
  })
})

test('the quick search lists the reports opened last first, and only those without a text', () => {
  expect(reports('custo', [21])).toEqual(['Custo de internações', 'Custo por operadora'])
  expect(reports('', [21, 11])).toEqual(['Custo de internações', 'Prestadores'])
})

test('the quick search finds the screens that the user may open', () => {
  expect(labels(findScreens(person(), 'perfil'))).toEqual(['Meu perfil'])
  expect(labels(findScreens(person(), 'usuarios'))).toEqual([])
  expect(labels(findScreens(person({ tipoUsuario: 'ADMIN' }), 'sistema situacao'))).toEqual([
    'Situação do sistema',
  ])
  expect(labels(findScreens(person({ tipoUsuario: 'ADMIN' }), 'usuarios'))).toEqual(['Buscar Usuários'])
  expect(labels(findScreens(person({ acessoProntuario: true }), 'beneficiarios'))).toEqual(['Beneficiários'])
})

const actions = (text: string, user: CurrentUser, invites = true) =>
  findActions({ user, pathname: '/usuario', invites }, text)

test.each([
  ['pessoa CONVIDAR', 'Convidar pessoa', '/usuario#convidar'],
  ['convite usuario', 'Convidar pessoa', '/usuario#convidar'],
  ['publicar relatorio', 'Publicar relatório', '/publicar'],
  ['criar workspace', 'Cadastrar Workspace', '/Registerworkspace'],
  ['cadastrar usuario', 'Cadastrar Usuário', '/cadastrar-usuario'],
  ['importar usuarios', 'Importar usuários', '/usuario#importar'],
  ['importar workspaces', 'Importar workspaces', '/workspace#importar'],
  ['tema', 'Trocar tema', 'theme'],
  ['escuro', 'Trocar tema', 'theme'],
  ['sair', 'Sair', 'signOut'],
  ['manual', 'Ajuda', '/ajuda?tela=%2Fusuario'],
  ['atalhos', 'Mostrar os atalhos do teclado', 'shortcuts'],
])('an ADMIN who types "%s" finds the action "%s"', (text, label, to) => {
  expect(actions(text, person({ tipoUsuario: 'ADMIN' }))).toContainEqual({ label, detail: '', to })
})

test('other users find only actions that they may take', () => {
  expect(labels(actions('', person()))).toEqual([
    'Ajuda',
    'Trocar tema',
    'Mostrar os atalhos do teclado',
    'Sair',
  ])
})

test('the quick search offers no invitation where people sign in without a password', () => {
  expect(actions('convidar', person({ tipoUsuario: 'ADMIN' }), false)).toEqual([])
})
