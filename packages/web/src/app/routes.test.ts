import { type Entity, entities } from '@bi-manager/contract'
import { createElement } from 'react'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { PermissionOnly } from './guards.tsx'
import { routes } from './routes.tsx'

const patternOf = (path: string) => matchRoutes(routes, path)?.at(-1)?.route.path

test.each([
  '/',
  '/cadastro',
  '/recovery-password',
  '/telao',
  '/convite',
  '/confirmar-email',
  '/entrar/oidc',
  '/mudar-senha',
  '/cancelar-assinatura',
  '/assinaturas',
  '/assinaturas/todas',
  '/assinaturas/regras',
  '/assinaturas/7',
  '/alertas',
  '/alertas/todos',
  '/alertas/7',
  '/saidibi',
  '/analise',
  '/corporacoes',
  '/painel',
  '/senhas-liberadas',
  '/telemedicina',
  '/perfil',
  '/permissao-relatorio',
  '/permissao-relatorio/7',
  '/permissao-relatorio/7/membros',
  '/powerbi',
  '/Registerpowerbi',
  '/Registerpowerbi/7',
  '/workspace',
  '/Registerworkspace',
  '/Registerworkspace/7',
  '/relatorio',
  '/RegisterworkspaceRelatorios',
  '/RegisterworkspaceRelatorios/7',
  '/usuario',
  '/cadastrar-usuario',
  '/cadastrar-usuario/7',
  '/editrelatorio/7',
  '/searchRelatorio',
  '/uso',
  '/aparencia',
  '/meu-uso',
  '/permissoes/porque',
  '/permissoes/ver-como/7',
  '/permissoes/ver-como/7/g/r',
  '/protecao-de-dados',
  '/protecao-de-dados/incidente',
  '/protecao-de-dados/incidente/7',
  '/relatorio-embed/grupo/relatorio/g/r',
  '/relatorio-embed/grupo/g/r',
  '/comentario/7',
])('%s is a page', (path) => {
  expect(patternOf(path)).not.toBe('*')
})

test.each([
  '/registerpowerbi',
  '/Saidibi',
  '/searchrelatorio',
  '/nada',
  '/relatorio-embed/g/r',
  '/editrelatorio',
])('%s is not a page', (path) => {
  expect(patternOf(path)).toBe('*')
})

const described: readonly Entity[] = entities

test.each(described.filter(({ pages }) => pages))(
  'routes.tsx guards the list and the form of $kind by the permission of its calls',
  ({ pages, permission }) => {
    for (const path of [pages?.list ?? '', pages?.form ?? '']) {
      const guards = matchRoutes(routes, path)?.map(({ route: { element } }) => element)
      expect(guards).toContainEqual(createElement(PermissionOnly, { permission }))
    }
  },
)

test.each(described.filter(({ pages }) => pages))(
  'routes.tsx has the list and the form of $kind',
  ({ pages }) => {
    for (const path of [pages?.list, pages?.form, `${pages?.form}/7`]) {
      expect(patternOf(path ?? ''), `add a page for ${path} to routes.tsx`).not.toBe('*')
    }
  },
)
