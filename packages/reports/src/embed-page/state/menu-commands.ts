import type { ISettings } from 'powerbi-models'
import { isRecord } from '../../definitions/is-record.ts'
import { visualTypes } from '../../definitions/visual-types.ts'
import type { EmbeddedVisual } from '../../wire/embed-contract.ts'

/** An item that the embedder adds to the menus of visuals. */
export interface MenuCommand {
  name: string
  title: string
}

const MAX_COMMANDS = 10
const LONGEST_TITLE = 60

/**
 * Returns the commands of Power BI's `settings.extensions` for the options menu of a visual, as a
 * list of extensions or as one object. Choosing one emits `commandTriggered`.
 */
export const menuCommands = ({ extensions }: ISettings, visual: EmbeddedVisual): MenuCommand[] => {
  const given: unknown = extensions
  const list = Array.isArray(given)
    ? given.map((extension) => (isRecord(extension) ? extension.command : undefined))
    : isRecord(given) && Array.isArray(given.commands)
      ? given.commands
      : []
  return list.flatMap((command) => readCommand(command, visual)).slice(0, MAX_COMMANDS)
}

const readCommand = (command: unknown, visual: EmbeddedVisual): MenuCommand[] => {
  if (!isRecord(command) || !isRecord(command.extend) || !isFor(command.selector, visual)) return []
  const menu = command.extend.visualOptionsMenu
  if (!isRecord(menu)) return []
  const { name } = command
  const title = typeof menu.title === 'string' && menu.title ? menu.title : command.title
  return typeof name === 'string' && name && typeof title === 'string' && title
    ? [{ name, title: title.slice(0, LONGEST_TITLE) }]
    : []
}

const isFor = (selector: unknown, { name, type }: EmbeddedVisual): boolean => {
  if (!isRecord(selector)) return true
  if (selector.visualName !== undefined) return selector.visualName === name
  return selector.visualType === undefined || selector.visualType === visualTypes[type].powerBi
}
