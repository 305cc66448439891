/** Makes the text field of a form as high as its text, in browsers that don't know `field-sizing`. */
export function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field?.form || CSS.supports('field-sizing', 'content')) return
  const { style } = field.form
  // What is above it must not scroll while it is measured.
  style.minHeight = `${field.form.offsetHeight}px`
  field.style.height = '0'
  field.style.height = field.scrollHeight > 0 ? `${field.scrollHeight}px` : ''
  style.minHeight = ''
}
