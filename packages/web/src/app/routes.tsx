import type { ComponentType } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { dashboards } from '../lib/dashboards.ts'
import { reportRoutes } from '../lib/report-path.ts'
import { AdminOnly, SignedInOnly, SignedOutOnly } from './guards.tsx'
import { FrameError, PageError } from './page-error.tsx'
import type { PageHandle } from './page-handle.ts'
import { PublicFrame } from './public-frame.tsx'
import { Root } from './root.tsx'
import { Splash } from './splash.tsx'

type Load = () => Promise<ComponentType>

const page = (path: string, title: string, load: Load = underConstruction): RouteObject => ({
  path,
  caseSensitive: true,
  handle: { title } satisfies PageHandle,
  lazy: { Component: load },
})

const shell: Load = () => import('./shell/shell.tsx').then((m) => m.Shell)
const home: Load = () => import('../features/home/home-page.tsx').then((m) => m.HomePage)
const dashboard: Load = () => import('../features/dashboards/dashboard-page.tsx').then((m) => m.DashboardPage)
const report: Load = () => import('../features/viewer/report-page.tsx').then((m) => m.default)
async function underConstruction() {
  return (await import('./under-construction-page.tsx')).UnderConstructionPage
}

/**
 * Every address of the portal, letter case included. Whatever is not here leads to the root. An error boundary stands
 * on a route of its own above the lazy ones: React Router shows nothing at all when a page whose code could not be
 * fetched carries the boundary itself.
 */
export const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: Splash,
    ErrorBoundary: FrameError,
    children: [
      { path: '/', handle: { title: 'Entrar' } satisfies PageHandle, Component: SignedOutOnly },
      {
        Component: PublicFrame,
        children: [
          {
            ErrorBoundary: PageError,
            children: [page('/cadastro', 'Cadastrar conta'), page('/recovery-password', 'Recuperar senha')],
          },
        ],
      },
      {
        Component: SignedInOnly,
        ErrorBoundary: FrameError,
        children: [
          { lazy: { Component: shell }, children: [{ ErrorBoundary: PageError, children: pagesInShell() }] },
        ],
      },
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]

function pagesInShell(): RouteObject[] {
  return [
    page('/saidibi', 'Início', home),
    page('/mudar-senha', 'Nova senha'),
    ...dashboards.map(({ path, title }) => page(path, title, dashboard)),
    ...reportRoutes.map((path) => page(path, 'Relatório', report)),
    {
      Component: AdminOnly,
      children: [
        page('/permissao-relatorio', 'Permissões por perfil'),
        page('/powerbi', 'Powerbis'),
        page('/Registerpowerbi/:item?', 'Cadastrar Powerbi'),
        page('/workspace', 'Workspace'),
        page('/Registerworkspace/:id?', 'Cadastrar Workspace'),
        page('/relatorio', 'Relatórios'),
        page('/RegisterworkspaceRelatorios/:report?', 'Cadastrar relatório'),
        page('/usuario', 'Usuários'),
        page('/cadastrar-usuario/:user?', 'Cadastrar usuário'),
        page('/editrelatorio/:user', 'Usuário'),
        page('/searchRelatorio', 'Permissões por usuário'),
      ],
    },
  ]
}

/** Fetches what comes right after signing in, so that the home opens at once. */
export const prefetchHome = (): void => {
  void Promise.allSettled([shell(), home()])
}
