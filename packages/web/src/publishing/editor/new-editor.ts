import {
  autocompletion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { getNonce } from 'get-nonce'
import { completionAt, insertionAt, type Proposal, type Tables } from './definition-completion.ts'
import { definitionSchema as schema } from './definition-schema.ts'

interface EditorOptions {
  parent: HTMLElement
  text: string
  label: string
  describedBy: string
  tables: () => Tables
  onChange: (text: string) => void
}

/** Tab is not bound: it leaves the editor, as it leaves every other field. */
export const newEditor = ({
  parent,
  text,
  label,
  describedBy,
  tables,
  onChange,
}: EditorOptions): EditorView =>
  new EditorView({
    parent,
    doc: text,
    extensions: [
      // The editor adds a <style> element.
      EditorView.cspNonce.of(getNonce() ?? ''),
      EditorState.phrases.of(phrases),
      EditorView.contentAttributes.of({
        'aria-label': label,
        'aria-describedby': describedBy,
        // Focusable without it, but not for accessibility checks of its scroll area.
        tabindex: '0',
      }),
      EditorView.lineWrapping,
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      json(),
      syntaxHighlighting(classHighlighter),
      // So many fit without scrolling: the arrow keys show more. A list that scrolls needs focus.
      autocompletion({ override: [completionSource(tables)], icons: false, maxRenderedOptions: 10 }),
      keymap.of([
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString())
      }),
    ],
  })

const completionSource =
  (tables: () => Tables): CompletionSource =>
  ({ state, pos, explicit }) => {
    const text = state.doc.toString()
    const found = completionAt(text, pos, { schema, tables: tables() })
    if (!found) return null
    // While the author types, only the beginning of a name opens the list.
    const isBegun = found.from < pos || text[pos - 1] === '"'
    if (!explicit && !isBegun) return null
    return {
      from: found.from,
      validFor: /^[\w$]*$/,
      options: found.proposals.map((proposal) => ({
        label: proposal.label,
        ...(proposal.kind === 'column' || proposal.kind === 'table'
          ? { detail: proposal.detail }
          : proposal.detail && { info: proposal.detail }),
        apply: (view: EditorView) => insert(view, proposal),
      })),
    }
  }

const insert = (view: EditorView, proposal: Proposal): void => {
  const { state } = view
  const { from, to, insert, cursor } = insertionAt(
    state.doc.toString(),
    state.selection.main.head,
    proposal,
    schema,
  )
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: cursor },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}

const phrases = {
  Completions: 'Sugestões',
  Diagnostics: 'Erros e avisos',
  'No diagnostics': 'Nenhum erro',
  close: 'fechar',
  'Control character': 'Caractere de controle',
  'current match': 'achado atual',
  'selection deleted': 'seleção apagada',
}
