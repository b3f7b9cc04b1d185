import { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useRef } from 'react'
import type { Tables } from './definition-completion.ts'
import classes from './definition-editor.module.css'
import { showFaults } from './editor-faults.ts'
import { newEditor } from './new-editor.ts'

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
