// The other choices in the composer.
export { AgentPicker } from './agent-picker.tsx'
export { ModelPicker } from './model-picker.tsx'
