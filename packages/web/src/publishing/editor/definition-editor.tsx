import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { Tables } from './definition-completion.ts'
import classes from './definition-editor.module.css'
import { newEditor } from './new-editor.ts'
import { placeIn } from './place-in.ts'

export interface DefinitionEditorProps {
  value: string
  /** What queries may name. */
  tables: Tables
  erros: string[]
  avisos: string[]
  /** Moves the cursor here; a new object moves it again, even with the same numbers. */
  goTo: { line: number; column: number } | undefined
  label: string
  /** The id of the list of errors. */
  describedBy: string
  onChange: (text: string) => void
}

/** The editor of a definition. Its code is large, and is loaded when the definition is opened. */
export const DefinitionEditor = (props: DefinitionEditorProps) => {
  const { value, erros, avisos, goTo } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useLatest(props)

  useEffect(() => {
    if (!place.current) return undefined
    const { label, describedBy } = latest.current
    const editor = newEditor({
      parent: place.current,
      text: latest.current.value,
      label,
      describedBy,
      tables: () => latest.current.tables,
      onChange: (text) => latest.current.onChange(text),
    })
    view.current = editor
    return () => editor.destroy()
  }, [latest])

  useEffect(() => {
    const editor = view.current
    const text = editor?.state.doc.toString()
    if (editor && text !== undefined && text !== value)
      editor.dispatch({ changes: { from: 0, to: text.length, insert: value } })
  }, [value])

  useEffect(() => {
    if (view.current) showFaults(view.current, { erros, avisos })
  }, [erros, avisos])

  useEffect(() => {
    const editor = view.current
    if (!editor || !goTo) return
    const line = editor.state.doc.line(Math.min(goTo.line, editor.state.doc.lines))
    editor.dispatch({
      selection: { anchor: line.from, head: line.to },
      effects: EditorView.scrollIntoView(line.from, { y: 'center' }),
    })
    editor.focus()
  }, [goTo])

  return <div ref={place} className={classes.editor} />
}

const useLatest = <T,>(value: T): RefObject<T> => {
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  return latest
}

/** Underlines the places that the sentences name; sentences without one are in the list only. */
const showFaults = (view: EditorView, { erros, avisos }: { erros: string[]; avisos: string[] }): void => {
  const { doc } = view.state
  const found = [
    ...erros.flatMap((sentence) => diagnosticOf(doc, sentence, 'error')),
    ...avisos.flatMap((sentence) => diagnosticOf(doc, sentence, 'warning')),
  ]
  view.dispatch(setDiagnostics(view.state, found))
}

const diagnosticOf = (doc: Text, sentence: string, severity: Diagnostic['severity']): Diagnostic[] => {
  const place = placeIn(sentence)
  // The text may have changed since it was checked.
  if (!place || place.line > doc.lines) return []
  const { from, to } = doc.line(place.line)
  const start = Math.min(from + place.column - 1, to)
  return [{ from: start, to, severity, message: sentence }]
}
