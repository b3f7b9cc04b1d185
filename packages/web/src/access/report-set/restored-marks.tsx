import { RestoredNotice } from '../../ui/restored-notice.tsx'

/** Says that unsaved marks were restored. */
export const RestoredMarks = () => <RestoredNotice done="marcado" save="salve" />
