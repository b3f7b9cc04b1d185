import type { models } from 'powerbi-client'

/** A visual whose reader chose 'Exportar dados (XLSX)' in its menu. */
export interface VisualToExport {
  pagina: string
  visual: string
  titulo: string
}

const EXPORT = 'exportarXlsx'

/** What the portal adds to the menus of visuals. */
export const visualCommands: models.IExtension[] = [
  {
    command: {
      name: EXPORT,
      title: 'Exportar dados (XLSX)',
      extend: { visualOptionsMenu: { title: 'Exportar dados (XLSX)' } },
    },
  },
]

interface CommandDetail {
  command?: unknown
  page?: { name?: unknown }
  visual?: { name?: unknown; title?: unknown }
}

/** Returns the visual of a `commandTriggered` event; undefined for another command. */
export const visualToExport = (detail: CommandDetail | undefined): VisualToExport | undefined => {
  const { command, page, visual } = detail ?? {}
  if (command !== EXPORT || !isName(page?.name) || !isName(visual?.name)) return undefined
  const { name, title } = visual
  return { pagina: page.name, visual: name, titulo: typeof title === 'string' ? title : name }
}

const isName = (name: unknown): name is string => typeof name === 'string' && /^[\w-]{1,100}$/.test(name)
