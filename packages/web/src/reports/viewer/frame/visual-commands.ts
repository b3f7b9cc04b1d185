import type { models } from 'powerbi-client'

/** A visual in whose menu the reader chose a command of the portal. */
export interface ChosenVisual {
  pagina: string
  visual: string
  titulo: string
}

/** Name of a command → its title in the menu. */
const titles = { exportarXlsx: 'Exportar dados (XLSX)', criarAlerta: 'Criar alerta' } as const
export type VisualCommand = keyof typeof titles

/** What the portal adds to the menus of the local service's visuals. */
export const visualCommands: models.IExtension[] = Object.entries(titles).map(([name, title]) => ({
  command: { name, title, extend: { visualOptionsMenu: { title } } },
}))

interface CommandDetail {
  command?: unknown
  page?: { name?: unknown }
  visual?: { name?: unknown; title?: unknown }
}

/** Returns command and visual of a `commandTriggered` event; undefined for another command. */
export const chosenVisual = (
  detail: CommandDetail | undefined,
): { command: VisualCommand; chosen: ChosenVisual } | undefined => {
  const { command, page, visual } = detail ?? {}
  if (!isCommand(command) || !isName(page?.name) || !isName(visual?.name)) return undefined
  const { name, title } = visual
  return {
    command,
    chosen: { pagina: page.name, visual: name, titulo: typeof title === 'string' ? title : name },
  }
}

const isCommand = (name: unknown): name is VisualCommand =>
  typeof name === 'string' && Object.hasOwn(titles, name)

const isName = (name: unknown): name is string => typeof name === 'string' && /^[\w-]{1,100}$/.test(name)
