import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { placeIn } from './place-in.ts'

/** Underlines the places that the sentences name; sentences without one are in the list only. */
export const showFaults = (
  view: EditorView,
  { erros, avisos }: { erros: string[]; avisos: string[] },
): void => {
  const { doc } = view.state
  const found = [
    ...erros.flatMap((sentence) => diagnosticOf(doc, sentence, 'error')),
    ...avisos.flatMap((sentence) => diagnosticOf(doc, sentence, 'warning')),
  ]
  view.dispatch(setDiagnostics(view.state, found))
}

export const diagnosticOf = (doc: Text, sentence: string, severity: Diagnostic['severity']): Diagnostic[] => {
  const place = placeIn(sentence)
  // The text may have changed since it was checked.
  if (!place || place.line > doc.lines) return []
  const { from, to } = doc.line(place.line)
  const start = Math.min(from + place.column - 1, to)
  return [{ from: start, to, severity, message: sentence }]
}
