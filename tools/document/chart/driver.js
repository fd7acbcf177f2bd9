// Draws each chart in turn, and gives a JSON list of SVG texts. ECharts numbers its clip paths and styles anew for each drawing, so names are made
// different: several drawings stand in one page. What is for the mouse is left out.
function run(input) {
  return JSON.stringify(input.charts.map((option, i) => {
    const chart = echarts.init(null, null, {renderer: 'svg', ssr: true, width: input.width, height: input.heights[i]});
    chart.setOption(option);
    const svg = chart.renderToSVGString();
    chart.dispose();
    return svg.replace(/<style[\s\S]*?<\/style>/g, '').replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
      .replace(/font-family:inherit;/g, '').replace(/zr\d+-/g, `c${i}-`).replace(/\n\s*/g, '');
  }));
}
