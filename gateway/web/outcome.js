// How far a task came, by its records: one that ends well may have ended in the answer that nothing could be done. The command line reads them the same way
// (terminal/outcome.go), so that both say the same of a task.

/** Whether all that a task tried came to nothing, or nothing was tried: no result that brought something, and no end of its plan that was reached. */
export function vain(records, id) {
  const calls = new Map();
  const of = (call) => calls.get(call) ?? calls.set(call, { well: 0, ill: 0, model: false, planner: false, plan: null }).get(call);
  for (const { record: r } of records) {
    const o = of(r.call);
    const round = r.kind === "round" || (r.kind === "response" && r.round > 0);
    if (r.model) o.model = true;
    else if (round) o.planner = true;
    if (r.kind === "plan" && r.plan) o.plan = r.plan;
    if (r.kind !== "result" || r.tool_name === "ask_user") continue;
    if (r.status === "ok" && !toNothing(of(r.child)) && r.observation?.found !== false) o.well++;
    else o.ill++;
  }
  const root = of(id);
  return (root.well + root.ill === 0 && root.planner && !root.model) || toNothing(root);
}

/** Whether what a call tried came to nothing: each result, or each end of its plan, the steps that no other one waits for. */
function toNothing(o) {
  if (!o.well) return o.ill > 0 || (o.planner && !o.model);
  const steps = o.plan?.steps ?? [];
  const ends = steps.filter((s) => !steps.some((other) => other.after?.includes(s.id)));
  return ends.length > 0 && !ends.some((s) => s.status === "completed");
}
